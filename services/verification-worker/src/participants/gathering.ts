import type { DataOf, Envelope, evidenceSubmitted } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import type { Intake } from '../clients/intake.ts';
import type { CaseEvidence } from '../domain/case.ts';
import type { Engine } from '../engine/engine.ts';
import type { Vault } from '../vault.ts';
import type { Begun } from './observe.ts';

export type Submitted = Envelope<DataOf<typeof evidenceSubmitted>>;

/** What participants need to look at one submission. */
export interface Gathering {
  event: Submitted;
  engine: Engine;
  intake: Intake;
  vault: Vault;
  now: Clock;
  begun: Begun;
}

/** An evidence with everything its participants found, and, sealed, the question to its issuing source where one is to be asked. */
export interface Gathered {
  evidence: CaseEvidence;
  askIssuer?: { checkId: string; sealedDocument: string };
}
