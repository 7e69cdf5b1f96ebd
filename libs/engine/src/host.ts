import { modelsFolder } from './folder.ts';
import { openJobs } from './jobs.ts';
import { answerWith, serve } from './serve.ts';
import { warmUp } from './warm-up.ts';

/** The program of an engine process: loads every model and warms it. */
await serve(async () => {
  const jobs = await openJobs(modelsFolder());
  await warmUp(jobs);
  return answerWith(jobs);
});
