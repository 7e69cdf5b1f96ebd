import path from 'node:path';
import type { ChipEvidence, ChipVerification, ImportedList, TrustData, TrustReport } from '@assay/chip';
import { present } from '@assay/contracts';
import { openProcessPool } from '@assay/engine';
import type { Log } from '@assay/runtime';
import type { StoredTrust, Trust } from '../domain/trust.ts';

/** The content of an administrator's file; `fault` if the whole file is refused. */
export interface ReadTrustFile {
  entries: StoredTrust[];
  refused: readonly { readonly subject: string; readonly reason: string }[];
  fault?: string;
  /** The newest master list in it. */
  list?: ImportedList;
}

/**
 * A chip's portrait as JPEG. `isDecoded`: all of it was decoded. One that is a JPEG on the chip is
 * not yet: the engine does it where it looks for the face.
 */
export interface ChipPortrait {
  bytes: Uint8Array;
  isDecoded: boolean;
}

/** FAILED: the decoder failed, and nothing is known of the portrait. */
export type Decoding = ChipPortrait | 'UNREADABLE' | 'FAILED';

/** What was found on a chip, and its portrait where it was asked for. */
export interface CheckedChip {
  verification: Omit<ChipVerification, 'portrait' | 'signatureImage'>;
  portrait?: Decoding;
}

/**
 * A portrait as the process answers it: of one that is not decoded where it lies in data group 2,
 * whose bytes whoever asks has.
 */
export type PortraitOnChip = Decoding | { at: number; length: number };

export interface SeenChip extends Pick<CheckedChip, 'verification'> {
  portrait?: PortraitOnChip;
}

/**
 * The requests to the process. It caches the trust store by its version; if it does not have that
 * version, the data are sent along.
 */
export type ChipRequest =
  | { kind: 'verify'; version: number; evidence: Omit<ChipEvidence, 'trust'>; portrait: boolean; trust?: TrustData }
  | { kind: 'decode'; portrait: Uint8Array }
  | { kind: 'trustFile'; file: Uint8Array; trusted: TrustData; now: Date }
  | { kind: 'trustReport'; trusted: TrustData; lists: Readonly<Record<string, ImportedList>>; now: Date };

interface ChipAnswers {
  verify: SeenChip | 'TRUST_UNKNOWN';
  decode: Decoding;
  trustFile: ReadTrustFile;
  trustReport: TrustReport;
}

/** Checks chips in a process that holds no secret. */
export interface ChipProcess {
  check(evidence: Omit<ChipEvidence, 'trust'>, trust: Trust, portrait: boolean): Promise<CheckedChip>;
  /** Decodes all of a portrait. */
  decode(portrait: Uint8Array): Promise<Decoding>;
  readTrustFile(file: Uint8Array, trusted: TrustData, now: Date): Promise<ReadTrustFile>;
  /**
   * What an administrator should know of the trust store; `signedAt` says when the newest list of a
   * source was signed.
   */
  reportOfTrust(trusted: TrustData, lists: Readonly<Record<string, ImportedList>>, now: Date): Promise<TrustReport>;
  close(): Promise<void>;
}

const checkedChip = (
  { dataGroups }: Pick<ChipEvidence, 'dataGroups'>,
  { verification, portrait }: SeenChip,
): CheckedChip => {
  if (typeof portrait !== 'object' || !('at' in portrait)) return { verification, ...present({ portrait }) };
  const { at, length } = portrait;
  return { verification, portrait: { bytes: dataGroups['2']!.subarray(at, at + length), isDecoded: false } };
};

const LIMITS = { requestMs: 20_000, startMs: 60_000, memoryMb: 700 };

const inSources = path.basename(import.meta.dirname) === 'clients';
/** The bundle, for tests of the sources too. */
const hostFile = (): string => path.join(import.meta.dirname, inSources ? '../../dist' : '', 'chip-host.js');

/**
 * Starts the processes. After a crash, the chip is tried once more in a new process; other chips
 * are not affected.
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
    check: async (evidence, { version, data }, portrait) => {
      const request = { kind: 'verify', version, evidence, portrait } as const;
      const first = await pool.run(request);
      const answer = first === 'TRUST_UNKNOWN' ? await pool.run({ ...request, trust: data }) : first;
      if (answer === 'TRUST_UNKNOWN') throw new Error('a chip process did not take the trust store');
      return checkedChip(evidence, answer);
    },
    decode: (portrait) => pool.run({ kind: 'decode', portrait }),
    readTrustFile: (file, trusted, now) => pool.run({ kind: 'trustFile', file, trusted, now }),
    reportOfTrust: (trusted, lists, now) => pool.run({ kind: 'trustReport', trusted, lists, now }),
    close: () => pool.close(),
  };
};
