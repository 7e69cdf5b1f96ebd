import type { IndicatorStatus } from '@assay/contracts';

/** Something the code raises or takes: where, and how often it errs. */
export interface Produced {
  meaning: string;
  /** The file that raises it. */
  in: string;
  /** How the file spells it, where it puts the name together. */
  as?: string;
  states: readonly IndicatorStatus[];
  /** Measured, with the page that has the measurement. */
  errs: string;
}

/** Declared by the specification, and raised by nothing here. */
export interface NotProduced {
  meaning: string;
  why: string;
}

export type Entry = Produced | NotProduced;

const STATES: Readonly<Record<string, IndicatorStatus>> = {
  O: 'OK',
  W: 'WARNING',
  F: 'FAILED',
  U: 'UNVERIFIED',
  V: 'VERIFIED',
};

/** `OWFU` as the list of states that those letters begin. */
const statesOf = (letters: string): IndicatorStatus[] => Array.from(letters, (letter) => STATES[letter]!);

const NOT_MEASURED = 'not measured';

/** Entries of one file: each `[meaning, states by their letters, how often it errs]`. */
export const raisedIn =
  (file: string) =>
  (letters: string, meaning: string, errs: string = NOT_MEASURED, as?: string): Produced => ({
    meaning,
    in: file,
    states: statesOf(letters),
    errs,
    ...(as && { as }),
  });

export const never = (meaning: string, why: string): NotProduced => ({ meaning, why });
