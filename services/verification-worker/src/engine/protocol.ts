import type { DocumentJob, DocumentResult, PortraitCut, PortraitJob, PortraitResult } from './engine.ts';
import type { Comparison, FaceTemplate } from './faces/template.ts';

/** What the pool asks of a process: one job at a time. `misbehave` is answered in processes started for tests only. */
export type EngineRequest =
  | { kind: 'document'; job: DocumentJob }
  | { kind: 'portrait'; job: PortraitJob }
  | { kind: 'compare'; a: FaceTemplate; b: FaceTemplate }
  | { kind: 'misbehave'; how: Misbehaviour; unlessExists?: string };

export type Misbehaviour = 'segfault' | 'exit' | 'hang' | 'sleep' | 'eat-memory' | 'throw';

export interface EngineAnswers {
  document: DocumentResult;
  portrait: PortraitResult;
  compare: Comparison;
  misbehave: { pid: number };
}

/** From process to pool. A job is told of by any number of `portrait`, then one of the others. */
export type HostMessage =
  | { kind: 'ready' }
  | { kind: 'portrait'; portrait: PortraitCut }
  | { kind: 'answer'; answer: unknown; residentMb: number }
  | { kind: 'fault'; message: string; residentMb: number }
  | { kind: 'unfit'; message: string };

/** Argument with which a process answers `misbehave`. */
export const TEST_JOBS = '--test-jobs';
