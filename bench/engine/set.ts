import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { percentile, rounded } from '../figures.ts';

/** One line of a set's `index.json`. Which fields of `expected` are present depends on the kind. */
export interface Entry {
  file: string | [string, string];
  kind: string;
  expected?: {
    mrz?: string[];
    checkDigitsValid?: boolean;
    text?: string;
    contains?: string[];
    same?: boolean;
  } & Record<string, unknown>;
}

export const KINDS = [
  'mrz',
  'mrz-negative',
  'pdf417',
  'pdf417-aamva',
  'aamva-text',
  'face-pair',
  'document-portrait-pair',
] as const;
export type Kind = (typeof KINDS)[number];

/** What one entry came to. */
export interface Score {
  right: boolean;
  /** Called valid, or matched, and wrong. */
  falseValid: boolean;
}

export interface KindResult {
  right: number;
  total: number;
  falseValid: number;
  medianMs: number;
  p95Ms: number;
  wrong: string[];
}

export const nameOf = ({ file }: Entry): string => [file].flat().join(' + ');
export const pathsOf = (folder: string, { file }: Entry): string[] => [file].flat().map((one) => join(folder, one));

/** The entries of a set, in order. */
export const readSet = async (folder: string): Promise<Entry[]> =>
  JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as Entry[];

export interface Timed extends Score {
  file: string;
  ms: number;
}

export const summarise = (results: readonly Timed[]): KindResult => {
  const times = results.map(({ ms }) => ms);
  return {
    right: results.filter(({ right }) => right).length,
    total: results.length,
    falseValid: results.filter(({ falseValid }) => falseValid).length,
    medianMs: rounded(percentile(times, 0.5), 1),
    p95Ms: rounded(percentile(times, 0.95), 1),
    wrong: results.filter(({ right }) => !right).map(({ file }) => file),
  };
};

const same = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a !== undefined && b !== undefined && a.join('\n') === b.join('\n');

/** Right: every character; with wrong printed check digits: read, and not called valid. */
export const scoreMrz = ({ kind, expected }: Entry, lines: string[] | undefined, valid: boolean): Score => {
  if (kind === 'mrz-negative') return { right: !valid, falseValid: valid };
  const exact = same(lines, expected?.mrz);
  if (expected?.checkDigitsValid === false)
    return { right: !valid && (expected.mrz ? exact : lines !== undefined), falseValid: valid };
  return { right: exact && valid, falseValid: valid && !exact };
};

export const scoreText = ({ expected }: Entry, text: string | undefined): Score => {
  const wanted = expected?.contains;
  const right = text !== undefined && (wanted ? wanted.every((part) => text.includes(part)) : text === expected?.text);
  return { right, falseValid: text !== undefined && !right };
};

/**
 * `matched` is the decision without a human; `undecided` goes to one. Documents of different people
 * may be undecided.
 */
export const scorePair = (
  { kind, expected }: Entry,
  decision: 'matched' | 'undecided' | 'refused' | undefined,
): Score => {
  const isSame = expected?.same === true;
  const falseValid = !isSame && decision === 'matched';
  if (kind === 'document-portrait-pair')
    return {
      right: isSame ? decision === 'matched' || decision === 'undecided' : decision !== undefined && !falseValid,
      falseValid,
    };
  return { right: isSame ? decision === 'matched' : decision !== undefined && !falseValid, falseValid };
};
