import { Session } from 'node:inspector/promises';

/**
 * Lets go of what only the start needed, such as texts of modules and schemas as they were
 * compiled, and gives its memory back to the system. V8 would leave it until the heap has grown to
 * its first limit, which is large for the sake of media (libs/local-stack/src/run-suite.ts), and
 * has no other way to give pages back at once.
 */
export const collectAfterStart = async (): Promise<void> => {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
};
