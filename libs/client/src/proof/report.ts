/** The checks of a verification, in the order in which they are made. */
export const CHECKS = ['envelope', 'zip', 'hashes', 'signature', 'schema', 'consistency'] as const;
/** `chip` is made only where authorities are given to verify chips with. */
export type CheckName = (typeof CHECKS)[number] | 'chip';

/** One reason to refuse a proof: the check that found it, what is wrong, and where. */
export interface Reason {
  check: CheckName;
  reason: string;
  where?: string;
}

/** One file of a proof, as it was found. */
export interface ProofFile {
  /** Path below the root folder. */
  path: string;
  bytes: number;
  sha256: string;
}

/** What a chip of a proof comes to when it is verified again from its files. */
export interface ChipReport {
  evidenceId: string;
  /** Each check as it came out now, and as the proof says it did. */
  checks: { name: string; state: string; inProof?: string }[];
  /** What nobody can make again from an archive, and why. */
  notMade: { name: string; reason: string }[];
  /** Files that cannot be read. */
  errors: string[];
  signer?: string;
  signedAt?: string;
  authority?: string;
  authoritySource?: string;
}

export interface ProofReport {
  ok: boolean;
  reasons: Reason[];
  /** Each check: `ok`, `refused`, or `not-made` when an earlier refusal left nothing to check. */
  checks: { name: CheckName; outcome: 'ok' | 'refused' | 'not-made' }[];
  /** What the signed content says of itself; only as good as `ok`. */
  proof?: {
    proofId: string;
    identityId: string;
    tenantId: string;
    componentVersion: string;
    startDateTime: string;
    endDateTime: string;
    levelOfAssurance?: string;
    /** It comes from a sandbox: its outcomes were played, and it proves nobody. */
    sandbox?: true;
  };
  /** Thumbprint (RFC 7638) of the key that made the signature. */
  kid?: string;
  files: ProofFile[];
  /** Only where authorities were given. */
  chips?: ChipReport[];
  /**
   * True when the ZIP is not as the service wrote it, but holds the same entries: compressed again,
   * or in another order.
   */
  repacked?: boolean;
}

/**
 * The input is no proof that could be good or bad: empty, not readable, or there are no keys to
 * check it with.
 */
export class UnusableInput extends Error {
  override name = 'UnusableInput';
}

/** Ends a check that cannot go on; its reason goes into the report. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly where: string | undefined;
  constructor(reason: string, where?: string) {
    super(reason);
    this.where = where;
  }
}
