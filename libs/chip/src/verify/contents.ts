import { attempt, type ChipError } from '../errors.ts';
import { isDayOver } from '../lds/days.ts';
import { readDataGroup11, readDataGroup12 } from '../lds/details.ts';
import { readDataGroup7 } from '../lds/displayed-signature.ts';
import { type MachineReadableZone, readDataGroup1, sameMachineReadableZone } from '../lds/machine-readable-zone.ts';
import { readDataGroup2 } from '../lds/portrait.ts';
import type { DataGroupState } from '../passive/passive-authentication.ts';
import type { CheckState } from '../passive/states.ts';
import type { ChipFileError, ChipFinding } from './verification.ts';

type Files = ReadonlyMap<number, Uint8Array>;
type States = ReadonlyMap<number, DataGroupState>;

const readIfBound = <T>(
  number: number,
  files: Files,
  states: States,
  read: (file: Uint8Array) => T,
): { value?: T | undefined; error?: ChipError | undefined } => {
  const file = files.get(number);
  return file && states.get(number) === 'OK' ? attempt(() => read(file)) : {};
};

/**
 * Reads the data groups whose hash is right. A data group that we cannot read is a finding; a
 * portrait that we cannot read is an error.
 */
export const readContents = (files: Files, states: States) => {
  const portrait = readIfBound(2, files, states, readDataGroup2);
  const signatureImage = readIfBound(7, files, states, readDataGroup7);
  const holder = readIfBound(11, files, states, readDataGroup11);
  const document = readIfBound(12, files, states, readDataGroup12);
  const unreadable = [
    [7, signatureImage],
    [11, holder],
    [12, document],
  ] as const;
  const findings = unreadable.flatMap(([dataGroup, { error }]): ChipFinding[] =>
    error ? [{ code: 'DATA_GROUP_UNREADABLE', dataGroup }] : [],
  );
  const errors: ChipFileError[] = portrait.error
    ? [{ file: 'dataGroups.2', code: 'PORTRAIT_UNREADABLE', reason: portrait.error.message }]
    : [];
  return {
    contents: {
      ...(portrait.value ? { portrait: portrait.value } : {}),
      ...(signatureImage.value ? { signatureImage: signatureImage.value } : {}),
      ...(holder.value ? { holder: holder.value } : {}),
      ...(document.value ? { document: document.value } : {}),
    },
    findings,
    errors,
  };
};

/** The result for data group 1. */
export interface Zone {
  readonly state: CheckState;
  readonly mrz?: MachineReadableZone;
  readonly expired?: boolean;
  readonly findings: readonly ChipFinding[];
  readonly errors: readonly ChipFileError[];
}

/**
 * Reads data group 1, checks its digits, and compares it with the machine-readable zone of the
 * image evidence.
 */
export const readZone = (file: Uint8Array | undefined, now: Date, imageMrz: string | undefined): Zone => {
  if (file === undefined) return { state: 'UNVERIFIED', findings: [], errors: [] };
  const read = attempt(() => readDataGroup1(file, now));
  if (read.error)
    return {
      state: 'UNVERIFIED',
      findings: [],
      errors: [{ file: 'dataGroups.1', code: read.error.code, reason: read.error.message }],
    };
  const mrz = read.value;
  const expired = mrz.dateOfExpiry !== undefined && isDayOver(mrz.dateOfExpiry, now);
  const differs = imageMrz !== undefined && !sameMachineReadableZone(mrz.lines.join(''), imageMrz);
  const findings: ChipFinding[] = [
    ...(mrz.checkDigitsValid ? [] : [{ code: 'CHECK_DIGITS_WRONG' } as const]),
    ...(differs ? [{ code: 'MRZ_DIFFERS_FROM_IMAGE' } as const] : []),
    ...(expired ? [{ code: 'DOCUMENT_EXPIRED' } as const] : []),
  ];
  return { state: mrz.checkDigitsValid && !differs ? 'OK' : 'FAILED', mrz, expired, findings, errors: [] };
};
