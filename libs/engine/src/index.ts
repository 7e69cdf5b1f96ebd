/**
 * The engine reads pictures in processes of its own. This door is light to import: only those
 * processes load nets and decoders.
 */
export type { DocumentReading } from './document.ts';
export type { DocumentData, ReadValue } from './document-data.ts';
export {
  type DocumentJob,
  type DocumentResult,
  type DocumentSeen,
  type Engine,
  EngineClosed,
  EngineCrashed,
  EngineFault,
  EngineTimeout,
  EngineUnavailable,
  isUnreadable,
  type OnPortrait,
  type PortraitCut,
  type PortraitJob,
  type PortraitResult,
} from './engine.ts';
export type { Comparison, FaceTemplate } from './faces/template.ts';
export { alpha3 } from './mrz/states.ts';
export { areNamesSure } from './mrz/sure-names.ts';
export { wholeNames } from './mrz/whole-names.ts';
export { observedEngine } from './observed.ts';
export { openEnginePool } from './pool.ts';
export { openProcessPool, type ProcessPool } from './process-pool.ts';
export { DOCUMENT_PORTRAIT, EMBEDDING_WEIGHT } from './rules/face-thresholds.ts';
export { serve } from './serve.ts';
export type { PlacedField, PrintPlace } from './viz/places.ts';
export {
  documentJobFromWire,
  documentJobToWire,
  documentResultFromWire,
  documentResultToWire,
  portraitJobFromWire,
  portraitJobToWire,
  portraitResultFromWire,
  portraitResultToWire,
} from './wire.ts';
