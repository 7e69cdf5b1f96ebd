import path from 'node:path';
import type { ChipEvidence, ChipVerdict, TrustData, TrustReport } from '@assay/chip';
import type { DecodedPortrait } from '@assay/chip/portrait';
import { openProcessPool } from '@assay/engine';
import type { Log } from '@assay/runtime';
import type { StoredTrust, Trust } from '../domain/trust.ts';

/** What a file of an administrator holds; `fault` where it is refused whole. */
export interface ReadTrustFile {
  entries: StoredTrust[];
  refused: readonly { readonly subject: string; readonly reason: string }[];
  fault?: string;
  /** When the newest master list in it was signed. */
  signedAt?: Date;
}

/**
 * What was found on a chip, and its portrait as JPEG where it was asked for. FAILED: the decoder was
 * at fault, and nothing is known of the portrait.
 */
export interface CheckedChip {
  verdict: ChipVerdict;
  portrait?: DecodedPortrait | 'UNREADABLE' | 'FAILED';
}

/**
 * What the process is asked. It remembers whom to trust by the version; where it does not know that
 * one, the data go along.
 */
export type ChipRequest =
  | { kind: 'verify'; version: number; evidence: Omit<ChipEvidence, 'trust'>; decode: boolean; trust?: TrustData }
  | { kind: 'trustFile'; file: Uint8Array; trusted: TrustData }
  | { kind: 'trustReport'; trusted: TrustData; signedAt: Readonly<Record<string, Date>>; now: Date };

interface ChipAnswers {
  verify: CheckedChip | 'TRUST_UNKNOWN';
  trustFile: ReadTrustFile;
  trustReport: TrustReport;
}

/** Checks chips in a process that holds no secret. */
export interface ChipProcess {
  check(evidence: Omit<ChipEvidence, 'trust'>, trust: Trust, decode: boolean): Promise<CheckedChip>;
  readTrustFile(file: Uint8Array, trusted: TrustData): Promise<ReadTrustFile>;
  /**
   * What an administrator should know of the trust store; `signedAt` says when the newest list of a
   * source was signed.
   */
  reportOfTrust(trusted: TrustData, signedAt: Readonly<Record<string, Date>>, now: Date): Promise<TrustReport>;
  close(): Promise<void>;
}

const LIMITS = { requestMs: 20_000, startMs: 60_000, memoryMb: 700 };

const inSources = path.basename(import.meta.dirname) === 'clients';
const hostFile = (): string => path.join(import.meta.dirname, inSources ? 'chip-host.ts' : 'chip-host.js');

/**
 * Starts the processes; a crash costs its chip one retry in a fresh process, and no other chip
 * anything.
 */
export const openChipProcess = async ({ size, log }: { size: number; log: Log }): Promise<ChipProcess> => {
  const pool = await openProcessPool<ChipRequest, ChipAnswers>({
    size,
    limits: LIMITS,
    recycleMb: 500,
    program: hostFile(),
    onCrash: (reason) => log.warn({ msg: 'chip.process-ended', reason }),
  });
  return {
    check: async (evidence, { version, data }, decode) => {
      const request = { kind: 'verify', version, evidence, decode } as const;
      const first = await pool.run(request);
      const answer = first === 'TRUST_UNKNOWN' ? await pool.run({ ...request, trust: data }) : first;
      if (answer === 'TRUST_UNKNOWN') throw new Error('a chip process did not take the trust store');
      return answer;
    },
    readTrustFile: (file, trusted) => pool.run({ kind: 'trustFile', file, trusted }),
    reportOfTrust: (trusted, signedAt, now) => pool.run({ kind: 'trustReport', trusted, signedAt, now }),
    close: () => pool.close(),
  };
};
