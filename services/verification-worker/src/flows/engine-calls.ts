import { type ErrorObject, errorObject } from '@assay/contracts';
import {
  type DocumentJob,
  type DocumentResult,
  type Engine,
  EngineCrashed,
  EngineFault,
  EngineTimeout,
  type OnPortrait,
  type PortraitJob,
  type PortraitResult,
} from '@assay/engine';

/**
 * The engine failed with these images twice: the evidence ends NOT_VERIFIED, others are not
 * affected.
 */
export interface Failed {
  failed: ErrorObject;
}

export const failedWork = (error: unknown): Failed => {
  const ours = [EngineCrashed, EngineTimeout, EngineFault].some((kind) => error instanceof kind);
  // A closing engine accepts no work, and an unavailable one says nothing about these images: the
  // message is retried.
  if (!ours) throw error;
  return { failed: errorObject('PROCESSING_FAILED') };
};

/** The boundary to the engine: a failure of a job becomes a result. */
export const lookAtDocument = (
  engine: Engine,
  job: DocumentJob,
  onPortrait?: OnPortrait,
): Promise<DocumentResult | Failed> => engine.document(job, onPortrait).catch(failedWork);
export const lookAtPortrait = (engine: Engine, job: PortraitJob): Promise<PortraitResult | Failed> =>
  engine.portrait(job).catch(failedWork);
