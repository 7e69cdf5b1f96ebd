import type { ErrorName } from './errors.ts';
import outcomes from './sandbox-outcomes.json' with { type: 'json' };
import type { EvidenceStatusValue, IdentityOperationName, TrustLevel } from './vocabulary.ts';

/** What a sandbox can play outcomes for. */
export const SANDBOX_KINDS = ['documentImage', 'documentText', 'healthCard', 'documentChip', 'portrait'] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

const KIND_OF_OPERATION: Partial<Record<IdentityOperationName, SandboxKind>> = {
  ID_DOCUMENT_CAPTURE: 'documentImage',
  ID_DOCUMENT_LIVE_CAPTURE: 'documentImage',
  ID_DOCUMENT: 'documentText',
  MEDICARE: 'healthCard',
  EVIDENCE_NFC_VERIFICATION: 'documentChip',
  PORTRAIT_CAPTURE: 'portrait',
  LIVENESS_VIDEO: 'portrait',
};
export const sandboxKindOf = (operation: IdentityOperationName): SandboxKind | undefined =>
  KIND_OF_OPERATION[operation];

/** One line of the sandbox's catalogue. */
export interface SandboxOutcome {
  name: string;
  kind: SandboxKind;
  description: string;
  /** The evidence's result under the policy `default`. */
  status: EvidenceStatusValue;
  score?: TrustLevel;
  /** The error that its status contains. */
  error?: ErrorName;
  /** Indicators that differ from those of a genuine evidence. */
  indicators: readonly string[];
  /** Its first participant refuses it with `error`, so nothing further is verified. */
  rejected?: true;
  /** The work on it fails. */
  technical?: true;
  /** What has to exist before: the outcome of a document, or a consent. */
  needs?: string;
  /** Data of a submission that plays this outcome without being armed: the value of a field. */
  data?: { field: string; value: string };
  /** A specimen that has this outcome without being armed. */
  specimen?: string;
}

/** The one-time code of every sandbox: so a program can answer it without a mailbox. */
export const SANDBOX_CODE = '000000';

/** A line of the catalogue about one-time codes. Data alone plays them; they are never armed. */
export type SandboxCode = Omit<SandboxOutcome, 'kind'> & {
  kind: 'oneTimeCode';
  /** The settings of the code, in place of the tenant's. */
  timeoutSeconds?: number;
  attempts?: number;
};

export const SANDBOX_CODES: readonly SandboxCode[] = [
  {
    name: 'code-right',
    kind: 'oneTimeCode',
    description: 'The code is given back: it is the same in every sandbox',
    indicators: [],
    status: 'VERIFIED',
    data: { field: 'otp', value: SANDBOX_CODE },
  },
  {
    name: 'code-wrong',
    kind: 'oneTimeCode',
    description: 'Any other code is wrong; after the last attempt it is locked',
    indicators: [],
    status: 'NOT_VERIFIED',
    error: 'OTP_WRONG',
    data: { field: 'otp', value: '111111' },
  },
  {
    name: 'code-locked',
    kind: 'oneTimeCode',
    description: 'A code for this address has one attempt: a wrong answer locks it',
    indicators: [],
    status: 'NOT_VERIFIED',
    error: 'OTP_LOCKED',
    data: { field: 'value', value: 'locked@sandbox.example' },
    attempts: 1,
  },
  {
    name: 'code-expired',
    kind: 'oneTimeCode',
    description: 'A code for this address has expired as soon as it is sent',
    indicators: [],
    status: 'NOT_VERIFIED',
    error: 'OTP_EXPIRED',
    data: { field: 'value', value: 'expired@sandbox.example' },
    timeoutSeconds: 0,
  },
];

/** How a sandbox plays a code for an address. */
export const sandboxCodeFor = (address: string): Pick<SandboxCode, 'timeoutSeconds' | 'attempts'> =>
  SANDBOX_CODES.find(({ data }) => data?.field === 'value' && data.value === address) ?? {};

/** The sandbox's catalogue: every outcome that a client can ask for, and how. */
export const SANDBOX_OUTCOMES = outcomes as readonly SandboxOutcome[];

export const sandboxOutcome = (wanted: string): SandboxOutcome | undefined =>
  SANDBOX_OUTCOMES.find((outcome) => outcome.name === wanted);
