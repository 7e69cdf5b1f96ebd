import type { ErrorObject, Indicator, Today } from '@assay/contracts';
import type { DocumentReading } from './document.ts';
import type { DocumentHints } from './document-hints.ts';
import type { Comparison, FaceTemplate } from './faces/template.ts';
import type { PortraitMeasures, PortraitRefusal, PortraitWarning } from './rules/portrait-rules.ts';
import type { PortraitTraces } from './rules/substitution.ts';

/**
 * What the worker asks of an engine, whether it runs in child processes of this service (`pool.ts`)
 * or behind HTTP (`http-engine.ts`). Everything here is plain data, so that it survives a process
 * or network boundary.
 */
export interface Engine {
  /** What reads documents, in which version: the proof names it. */
  readonly reader: { name: string; version: string };
  /** How many jobs run at once; more are queued. Message prefetch should equal it. */
  readonly capacity: number;
  /** Jobs accepted and not finished: those running and those waiting. */
  pending(): number;
  /**
   * Rejects with `EngineCrashed` (after one retry), `EngineTimeout`, `EngineFault`,
   * `EngineUnavailable` or `EngineClosed`; bad images are results, not errors.
   */
  document(job: DocumentJob, onPortrait?: OnPortrait): Promise<DocumentResult>;
  portrait(job: PortraitJob): Promise<PortraitResult>;
  /** Distance of two faces described under the same recipe; rejects when the recipes differ. */
  compare(a: FaceTemplate, b: FaceTemplate): Promise<Comparison>;
  /**
   * Lets running jobs end (bounded), refuses waiting ones with `EngineClosed`, ends the processes.
   */
  close(): Promise<void>;
}

export interface DocumentJob {
  front: Uint8Array;
  back?: Uint8Array;
  details: DocumentHints;
  /** The days it is on Earth: engines read no clock for what they judge. */
  today: Today;
  settings?: { /** Look for the holder's portrait; true unless said otherwise. */ portrait?: boolean };
}

export interface PortraitJob {
  image: Uint8Array;
  /**
   * DOCUMENT: a portrait that an issuer took and signed, as a chip has it. Nobody can take it
   * again: it is usable where a portrait on a page would be, raises nothing and is not cut out. A
   * selfie by default.
   */
  of?: 'SELFIE' | 'DOCUMENT';
  /**
   * False: nothing is compared with the face now, and the template may be left out. `usable` says
   * then whether it can be described, and `measures` how wide it is, roughly. True by default.
   */
  describe?: boolean;
}

/** The bytes could not be decoded (truncated, not an image, too many pixels): code 1500 or 1505. */
export interface Unreadable {
  error: ErrorObject;
}

/**
 * Median cost of one step is what the benchmarks print; names are step names, values milliseconds.
 */
export type Timings = Record<string, number>;

export interface DocumentPortrait {
  side: 'FRONT' | 'BACK';
  /** Of the page after it was turned upright, in its pixels. */
  box: Box;
  /** JPEG of the portrait with a margin around the face: the Crop kept in the proof. */
  crop: Uint8Array;
  /** Absent when the face is too small or too blurred to compare with anything. */
  template?: FaceTemplate;
  measures: PortraitMeasures;
  /** What PORTRAIT_SUBSTITUTION was judged by; an engine may leave it out. */
  traces?: PortraitTraces;
}

/** A portrait as far as it is known when it was cut out. */
export type PortraitCut = Pick<DocumentPortrait, 'side' | 'crop'>;

/**
 * Called with the portrait on a document as soon as it is cut out, while the face is still being
 * described: what is done with the crop need not wait for that. Called again when the job is tried
 * again; an engine behind HTTP reports nothing before its result.
 */
export type OnPortrait = (portrait: PortraitCut) => void;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface DocumentSeen {
  reading: DocumentReading;
  /** Indicator names with their suffix, those of the reading and PORTRAIT. */
  indicators: Indicator[];
  /** Capture faults (1500s), for an evidence that does not end VERIFIED. */
  errors: ErrorObject[];
  portrait?: DocumentPortrait;
  timings: Timings;
}

export interface PortraitSeen {
  /** Every rule was met: the specification's `portraitQuality`. */
  usable: boolean;
  indicators: Indicator[];
  errors: ErrorObject[];
  /** The rules that refused the portrait or warned. */
  refusals: PortraitRefusal[];
  warnings: PortraitWarning[];
  faceCount: number;
  /** Present when exactly one usable face was found, and was to be described. */
  template?: FaceTemplate;
  crop?: Uint8Array;
  measures?: PortraitMeasures;
  timings: Timings;
}

export type DocumentResult = DocumentSeen | Unreadable;
export type PortraitResult = PortraitSeen | Unreadable;

/** True when the image could not be decoded at all; narrows a result. */
export const isUnreadable = (result: DocumentResult | PortraitResult): result is Unreadable => 'error' in result;

/**
 * The engine process died under the job, twice. The job's evidence ends NOT_VERIFIED; neighbours
 * are not touched.
 */
export class EngineCrashed extends Error {
  override readonly name = 'EngineCrashed';
}

/**
 * The job used more processor time than its limit, or got none for several times as long; its
 * process was ended and replaced. It is not tried again.
 */
export class EngineTimeout extends Error {
  override readonly name = 'EngineTimeout';
}

/** The job threw inside a sound process: a fault of ours, which a retry would repeat. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
}

/**
 * No engine can be had: its processes do not start, or its address does not answer. That says
 * nothing about the job, which has to be tried again later.
 */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
  /** Consumers wait for what answers so. */
  readonly status = 503;
}

/** The engine is closing or closed and took no such job. */
export class EngineClosed extends Error {
  override readonly name = 'EngineClosed';
}
