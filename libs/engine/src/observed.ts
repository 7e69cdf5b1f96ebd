import { gauge, histogram } from '@assay/runtime';
import type { Engine } from './engine.ts';

const seconds = histogram(
  'assay_engine_job_seconds',
  'Seconds from handing a job to the engine to its result, by kind of job',
  ['job'],
  [0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 4, 8, 16],
);
const pending = gauge('assay_engine_jobs_pending', 'Engine jobs running or waiting');

/** Told which kind of job had no result, and why. */
type OnFailure = (job: string, error: unknown) => void;

/** The same engine, with measurements. */
export const observedEngine = (engine: Engine, onFailure: OnFailure): Engine => {
  const timed = async <T>(job: string, work: Promise<T>): Promise<T> => {
    const stop = seconds.startTimer({ job });
    pending.set(engine.pending());
    return work
      .catch((error: unknown) => {
        onFailure(job, error);
        throw error;
      })
      .finally(() => {
        stop();
        pending.set(engine.pending());
      });
  };
  return {
    ...engine,
    document: (job, onPortrait) => timed('document', engine.document(job, onPortrait)),
    portrait: (job) => timed('portrait', engine.portrait(job)),
    compare: (a, b) => timed('compare', engine.compare(a, b)),
  };
};
