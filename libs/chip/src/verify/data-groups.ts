import { LIMITS } from '../limits.ts';
import type { ChipFileError } from './verification.ts';

/** Fingerprints and irises: we do not need them and do not store them. */
export const REFUSED_DATA_GROUPS: ReadonlySet<number> = new Set([3, 4]);

const problemOf = (name: string, bytes: Uint8Array): ChipFileError | undefined => {
  const file = `dataGroups.${name.slice(0, 8)}` as const;
  const number = Number(name);
  if (!/^[1-9]\d?$/.test(name) || number > LIMITS.dataGroups)
    return { file, code: 'MALFORMED', reason: 'there is no such data group' };
  if (REFUSED_DATA_GROUPS.has(number))
    return { file, code: 'REFUSED', reason: 'fingerprints and irises are not taken' };
  if (bytes.length > LIMITS.fileBytes)
    return { file, code: 'LIMIT_EXCEEDED', reason: `a file has at most ${LIMITS.fileBytes} bytes` };
  return undefined;
};

/** The data groups by number, and those that we do not accept. */
export const takeDataGroups = (dataGroups: Readonly<Record<string, Uint8Array>>) => {
  const entries = Object.entries(dataGroups);
  const errors = entries.flatMap(([name, bytes]) => problemOf(name, bytes) ?? []);
  const taken = new Map(
    entries
      .filter(([name, bytes]) => problemOf(name, bytes) === undefined)
      .map(([name, bytes]) => [Number(name), bytes]),
  );
  if (!taken.has(1))
    errors.push({ file: 'dataGroups.1', code: 'MISSING', reason: 'a chip is not checked without data group 1' });
  return { taken, errors };
};
