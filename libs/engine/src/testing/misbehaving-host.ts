import { modelsFolder } from '../folder.ts';
import { openJobs } from '../jobs.ts';
import type { EngineRequest } from '../protocol.ts';
import { answerWith, serve } from '../serve.ts';
import { type MisbehaveRequest, misbehave } from './misbehave.ts';

/**
 * The program of an engine process for tests: misbehaves on request, and loads its models when they
 * are first needed, for most of its jobs need none.
 */
await serve<EngineRequest | MisbehaveRequest>(async () => {
  let jobs: ReturnType<typeof openJobs> | undefined;
  return async (request, onPortrait) => {
    if (request.kind === 'misbehave') return misbehave(request);
    jobs ??= openJobs(modelsFolder());
    return answerWith(await jobs)(request, onPortrait);
  };
});
