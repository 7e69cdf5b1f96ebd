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

function answer(jobs: Jobs, request: EngineRequest): Promise<unknown> {
  switch (request.kind) {
    case 'document':
      return jobs.document(request.job);
    case 'portrait':
      return jobs.portrait(request.job);
    case 'compare':
      return jobs.compare(request.a, request.b);
    case 'misbehave':
      if (!process.argv.includes(TEST_JOBS)) throw new TypeError('test jobs are off');
      return misbehave(request.how, request.unlessExists);
  }
}

process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole group; the parent ends its processes itself, after their jobs.
process.on('SIGINT', () => undefined);

try {
  const jobs = await openJobs(modelsFolder());
  await warmUp(jobs);
  process.on('message', (request: EngineRequest) => {
    Promise.resolve()
      .then(() => answer(jobs, request))
      .then((result) => send({ kind: 'answer', answer: result }))
      .catch((error: unknown) => send({ kind: 'fault', message: messageOf(error) }));
  });
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'unfit', message: messageOf(error) });
  process.disconnect();
}
