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
 * The engine could do nothing with these images, twice: the evidence ends NOT_VERIFIED, its
 * neighbours are not touched.
 */
export interface Failed {
  failed: ErrorObject;
}

export const failedWork = (error: unknown): Failed => {
  const ours = [EngineCrashed, EngineTimeout, EngineFault].some((kind) => error instanceof kind);
  // A closing engine takes no more work, and one that is away says nothing of these images: the
  // message goes back.
  if (!ours) throw error;
  return { failed: errorObject('PROCESSING_FAILED') };
};

/** The engine's boundary: what a job may fail with becomes a result. */
export const lookAtDocument = (
  engine: Engine,
  job: DocumentJob,
  onPortrait?: OnPortrait,
): Promise<DocumentResult | Failed> => engine.document(job, onPortrait).catch(failedWork);
export const lookAtPortrait = (engine: Engine, job: PortraitJob): Promise<PortraitResult | Failed> =>
  engine.portrait(job).catch(failedWork);
