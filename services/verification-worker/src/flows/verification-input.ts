import type {
  AddressRequest,
  AttributesRequest,
  CaptureDetails,
  ChipSubmission,
  DataOf,
  DocumentText,
  Envelope,
  evidenceSubmitted,
  HealthCard,
} from '@assay/contracts';
import type { Engine } from '@assay/engine';
import type { Clock } from '@assay/runtime';
import type { ChipProcess } from '../clients/chip-process.ts';
import type { Intake } from '../clients/intake.ts';
import type { TrustStore } from '../store/trust.ts';
import type { OnParticipantStarted } from './participant-log.ts';
import type { Sealer } from './sealer.ts';

export type Submitted = Envelope<DataOf<typeof evidenceSubmitted>>;

/** The process that checks chips, and the trust store. */
export interface Chips {
  process: ChipProcess;
  trust: TrustStore;
}

/** What participants need to look at one submission. */
export interface VerificationInput {
  event: Submitted;
  engine: Engine;
  chips: Chips;
  intake: Intake;
  sealer: Sealer;
  now: Clock;
  onParticipantStarted: OnParticipantStarted;
  /** A portrait is there, and is compared with whatever face is found. */
  isAwaited: boolean;
}

/** What a submission holds, as evidence-intake seals it. */
export interface SubmissionContent {
  captureDetails?: CaptureDetails;
  documentText?: DocumentText;
  healthCard?: HealthCard;
  attributes?: AttributesRequest;
  address?: AddressRequest;
  chip?: ChipSubmission;
}
