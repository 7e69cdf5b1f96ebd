import type { DocumentJob, DocumentResult, PortraitCut, PortraitJob, PortraitResult } from './engine.ts';
import type { Comparison, FaceTemplate } from './faces/template.ts';

/** What the pool asks of a process: one job at a time. */
export type EngineRequest =
  | { kind: 'document'; job: DocumentJob }
  | { kind: 'portrait'; job: PortraitJob }
  | { kind: 'compare'; a: FaceTemplate; b: FaceTemplate };

export interface EngineAnswers {
  document: DocumentResult;
  portrait: PortraitResult;
  compare: Comparison;
}

/** From process to pool. Any number of `portrait` messages may precede one of the others. */
export type HostMessage =
  | { kind: 'ready' }
  | { kind: 'portrait'; portrait: PortraitCut }
  | { kind: 'answer'; answer: unknown; residentMb: number }
  | { kind: 'fault'; message: string; residentMb: number }
  | { kind: 'unfit'; message: string };
