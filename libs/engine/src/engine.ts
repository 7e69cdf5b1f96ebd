import type { ErrorObject, Indicator, Today } from '@assay/contracts';
import type { DocumentReading } from './document.ts';
import type { DocumentHints } from './document-hints.ts';
import type { Comparison, FaceTemplate } from './faces/template.ts';
import type { PortraitMeasures, PortraitRefusal, PortraitWarning } from './rules/portrait-rules.ts';
import type { PortraitTraces } from './rules/substitution.ts';

/**
 * What the worker asks of an engine, in child processes of this service (`pool.ts`) or over HTTP
 * (`http-engine.ts`). Everything here is plain data, so that it can be sent to another process.
 */
export interface Engine {
  /** The name and version of the document reader; the proof names it. */
  readonly reader: { name: string; version: string };
  /** How many jobs run at once; others wait. The consumer's prefetch should be equal. */
  readonly capacity: number;
  /** Jobs that run or wait. */
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
   * Lets running jobs end within a time limit, refuses waiting ones with `EngineClosed`, and ends
   * the processes.
   */
  close(): Promise<void>;
}

export interface DocumentJob {
  front: Uint8Array;
  back?: Uint8Array;
  details: DocumentHints;
  /** The days it is on Earth. Engines read no clock to check dates. */
  today: Today;
  settings?: { /** Look for the holder's portrait; true unless said otherwise. */ portrait?: boolean };
}

export interface PortraitJob {
  image: Uint8Array;
  /**
   * DOCUMENT: a portrait that an issuer took and signed, as in a chip. Nobody can take it again, so
   * it is assessed by the rules for a portrait on a page, raises no indicator, and is not cropped.
   * A selfie by default.
   */
  of?: 'SELFIE' | 'DOCUMENT';
  /**
   * False: the face is not compared now, and the template may be left out. `usable` then says
   * whether a template could be made, and `measures` gives the approximate width of the face. True
   * by default.
   */
  describe?: boolean;
}

/** The bytes could not be decoded (truncated, no image, too many pixels): code 1500 or 1505. */
export interface Unreadable {
  error: ErrorObject;
}

/**
 * The time of each step: names of steps, values in milliseconds. The benchmarks print their
 * medians.
 */
export type Timings = Record<string, number>;

export interface DocumentPortrait {
  side: 'FRONT' | 'BACK';
  /** On the upright page, in its pixels. */
  box: Box;
  /** JPEG of the portrait with a margin around the face: the crop in the proof. */
  crop: Uint8Array;
  /** Absent if the face is too small or too blurred for a comparison. */
  template?: FaceTemplate;
  measures: PortraitMeasures;
  /** The traces by which PORTRAIT_SUBSTITUTION is decided. An engine may leave them out. */
  traces?: PortraitTraces;
}

/** What is known of a portrait when it is cropped. */
export type PortraitCut = Pick<DocumentPortrait, 'side' | 'crop'>;

/**
 * Called with the portrait of a document as soon as it is cropped, while the template is still
 * being made: so the crop can be stored meanwhile. Called again if the job is tried again. An
 * engine over HTTP reports nothing before its result.
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
  /** The names of indicators with their status: those of the reading, and PORTRAIT. */
  indicators: Indicator[];
  /** Capture faults (codes 15xx), for an evidence that does not end VERIFIED. */
  errors: ErrorObject[];
  portrait?: DocumentPortrait;
  timings: Timings;
}

export interface PortraitSeen {
  /** Whether every rule was met: the specification's `portraitQuality`. */
  usable: boolean;
  indicators: Indicator[];
  errors: ErrorObject[];
  /** The rules that refused the portrait or warned. */
  refusals: PortraitRefusal[];
  warnings: PortraitWarning[];
  faceCount: number;
  /** Present if exactly one usable face was found and a template was asked for. */
  template?: FaceTemplate;
  crop?: Uint8Array;
  measures?: PortraitMeasures;
  timings: Timings;
}

export type DocumentResult = DocumentSeen | Unreadable;
export type PortraitResult = PortraitSeen | Unreadable;

/** Whether the image could not be decoded at all. */
export const isUnreadable = (result: DocumentResult | PortraitResult): result is Unreadable => 'error' in result;

/**
 * The engine process died twice during the job. The job's evidence ends NOT_VERIFIED; other jobs
 * are not affected.
 */
export class EngineCrashed extends Error {
  override readonly name = 'EngineCrashed';
}

/**
 * The job used more processor time than its limit, or took several times its limit by the clock.
 * Its process was replaced. The job is not tried again.
 */
export class EngineTimeout extends Error {
  override readonly name = 'EngineTimeout';
}

/** The job threw in a healthy process: it is a defect of ours, and a retry would repeat it. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
}

/**
 * No engine is available: its processes do not start, or its address does not answer. This says
 * nothing about the job, which is tried again later.
 */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
  /** A consumer waits if it gets this error. */
  readonly status = 503;
}

/** The engine is closing or closed and accepts no job. */
export class EngineClosed extends Error {
  override readonly name = 'EngineClosed';
}
