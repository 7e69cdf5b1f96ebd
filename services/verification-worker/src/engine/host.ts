import { type Jobs, openJobs } from './jobs.ts';
import { misbehave } from './misbehave.ts';
import { modelsFolder } from './models-folder.ts';
import { type EngineRequest, type HostMessage, TEST_JOBS } from './protocol.ts';
import { warmUp } from './warm-up.ts';

/**
 * One engine process: loads every model, warms it, says `ready`, then answers one request after the other. It ends when its
 * parent is gone; the parent alone decides when it ends otherwise.
 */
const send = (message: HostMessage): void => {
  process.send?.(message);
};

const messageOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown');

const testing = process.argv.includes(TEST_JOBS);

async function answer(jobs: () => Promise<Jobs>, request: EngineRequest): Promise<unknown> {
  switch (request.kind) {
    case 'document':
      return (await jobs()).document(request.job, (portrait) => send({ kind: 'portrait', portrait }));
    case 'portrait':
      return (await jobs()).portrait(request.job);
    case 'compare':
      return (await jobs()).compare(request.a, request.b);
    case 'misbehave':
      if (!testing) throw new TypeError('test jobs are off');
      return misbehave(request.how, request.unlessExists);
  }
}

/** A process for tests loads its models when they are first needed: most of its jobs need none. */
async function loaded(): Promise<() => Promise<Jobs>> {
  let jobs: Promise<Jobs> | undefined;
  const load = () => {
    jobs ??= openJobs(modelsFolder());
    return jobs;
  };
  if (!testing) await warmUp(await load());
  return load;
}

const residentMb = (): number => process.memoryUsage.rss() / 1_048_576;

process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole group; the parent ends its processes itself, after their jobs.
process.on('SIGINT', () => undefined);

try {
  const jobs = await loaded();
  process.on('message', (request: EngineRequest) => {
    answer(jobs, request)
      .then((result) => send({ kind: 'answer', answer: result, residentMb: residentMb() }))
      .catch((error: unknown) => send({ kind: 'fault', message: messageOf(error), residentMb: residentMb() }));
  });
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'unfit', message: messageOf(error) });
  process.disconnect();
}
