import { modelsFolder } from '../folder.ts';
import type { Jobs } from '../jobs.ts';
import type { EngineRequest } from '../protocol.ts';
import { answerWith, serve } from '../serve.ts';
import { type MisbehaveRequest, misbehave } from './misbehave.ts';

/**
 * What most of the jobs need nothing of: it is loaded when it is first needed, as its models are.
 */
const openEngine = async (): Promise<Jobs> => (await import('../jobs.ts')).openJobs(modelsFolder());

/** The program of an engine process for tests: misbehaves on request. */
await serve<EngineRequest | MisbehaveRequest>(async () => {
  let jobs: Promise<Jobs> | undefined;
  return async (request, onPortrait) => {
    if (request.kind === 'misbehave') return misbehave(request);
    jobs ??= openEngine();
    return answerWith(await jobs)(request, onPortrait);
  };
});
