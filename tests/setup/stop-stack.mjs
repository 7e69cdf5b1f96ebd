/** Ends what start-stack.mjs started, and waits until it has ended. */
export default async function stopStack() {
  const started = globalThis.assayStartedStacks ?? [];
  await Promise.all(
    started.map((supervisor) => {
      const ended = new Promise((done) => supervisor.once('exit', done));
      supervisor.ref();
      supervisor.disconnect();
      return ended;
    }),
  );
}
