import { LAYOUTS, type MrzFormat, sliceOf } from './formats.ts';

/** The fields that a check digit covers, and whether it agrees. */
export type MrzChecks = Partial<
  Record<'documentNumber' | 'birthDate' | 'expiryDate' | 'optional' | 'composite', boolean>
>;

const charValue = (char: string): number =>
  char >= '0' && char <= '9' ? Number(char) : char >= 'A' && char <= 'Z' ? char.charCodeAt(0) - 55 : 0;

/** ICAO 9303 part 3 section 4.9: weights 7, 3, 1, modulo 10. */
export const checkDigit = (text: string): string => {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += charValue(text[i]!) * [7, 3, 1][i % 3]!;
  return String(sum % 10);
};

const agrees = (data: string, digit: string): boolean => checkDigit(data) === digit;

interface ZoneNumber {
  number: string;
  digit: string;
  /** The number continues in the optional data. */
  long: boolean;
}

/**
 * A number of more than nine characters has a filler for its check digit and continues in the
 * optional data, with the digit behind it (ICAO 9303 parts 5 and 6, note j).
 */
const numberIn = (first: string, digit: string, optional: string): ZoneNumber => {
  const rest = digit === '<' ? /^([A-Z0-9]*)([0-9])(?:<|$)/.exec(optional) : null;
  return rest ? { number: first + rest[1]!, digit: rest[2]!, long: true } : { number: first, digit, long: false };
};

/** The number and check digit on the first line of a TD1. */
export const td1Number = (line: string): ZoneNumber => numberIn(line.slice(5, 14), line[14]!, line.slice(15));

/** The number and check digit on the second line of a TD2. */
export const td2Number = (line: string): ZoneNumber => numberIn(line.slice(0, 9), line[9]!, line.slice(28, 35));

const numberAgrees = ({ number, digit, long }: ZoneNumber): boolean =>
  // Some issuers include the filler between the two parts of a long number; ICAO does not.
  agrees(number, digit) || (long && agrees(`${number.slice(0, 9)}<${number.slice(9)}`, digit));

const td1Checks = (lines: readonly string[]): MrzChecks => {
  const [a, b] = lines as [string, string];
  return {
    documentNumber: numberAgrees(td1Number(a)),
    birthDate: agrees(b.slice(0, 6), b[6]!),
    expiryDate: agrees(b.slice(8, 14), b[14]!),
    composite: agrees(a.slice(5, 30) + b.slice(0, 7) + b.slice(8, 15) + b.slice(18, 29), b[29]!),
  };
};

const frenchChecks = ([a, b]: readonly string[]): MrzChecks => ({
  documentNumber: agrees(b!.slice(0, 12), b![12]!),
  birthDate: agrees(b!.slice(27, 33), b![33]!),
  composite: agrees(a! + b!.slice(0, 35), b![35]!),
});

/**
 * Every check digit of the format. Formats without a composite digit (visas) have no entry for it.
 */
export const checksOf = (format: MrzFormat, lines: readonly string[]): MrzChecks => {
  if (format === 'TD1') return td1Checks(lines);
  if (format === 'FRENCH_ID') return frenchChecks(lines);
  const b = lines[1]!;
  const checks: MrzChecks = {
    documentNumber: format === 'TD2' ? numberAgrees(td2Number(b)) : agrees(b.slice(0, 9), b[9]!),
    birthDate: agrees(b.slice(13, 19), b[19]!),
    expiryDate: agrees(b.slice(21, 27), b[27]!),
  };
  if (format === 'TD2') checks.composite = agrees(b.slice(0, 10) + b.slice(13, 20) + b.slice(21, 35), b[35]!);
  if (format === 'TD3') {
    const optional = b.slice(28, 42);
    checks.optional = agrees(optional, b[42]!) || (b[42] === '<' && checkDigit(optional) === '0');
    checks.composite = agrees(b.slice(0, 10) + b.slice(13, 20) + b.slice(21, 43), b[43]!);
  }
  return checks;
};

/** A character of the lines. */
export interface Place {
  line: number;
  column: number;
}

const DIGITS = [...'0123456789<'];

/**
 * The checks that come out the same whatever characters stand at the places. For a check that
 * covers one of them, some digit there changes the result.
 */
export const checksWithout = (
  format: MrzFormat,
  lines: readonly string[],
  checks: MrzChecks,
  places: readonly Place[],
): MrzChecks => {
  const others = places.flatMap(({ line, column }) =>
    DIGITS.map((digit) =>
      checksOf(
        format,
        lines.map((text, i) => (i === line ? text.slice(0, column) + digit + text.slice(column + 1) : text)),
      ),
    ),
  );
  const same = (Object.keys(checks) as (keyof MrzChecks)[]).filter((name) =>
    others.every((other) => other[name] === checks[name]),
  );
  return Object.fromEntries(same.map((name) => [name, checks[name]]));
};

export const allAgree = (checks: MrzChecks): boolean => Object.values(checks).every(Boolean);

export const shareAgreeing = (checks: MrzChecks): number => {
  const all = Object.values(checks);
  return all.filter(Boolean).length / all.length;
};

/** Month 01..12 and day 01..31, or fillers if the issuer does not know them. */
const DATE = /^(\d\d(0[1-9]|1[0-2]|<<)(0[1-9]|[12]\d|3[01]|<<)|<{6})$/;

/** Whether the dates can be dates, apart from check digits. */
export const datesPossible = (format: MrzFormat, lines: readonly string[]): boolean => {
  const { birthDate, expiryDate } = LAYOUTS[format];
  return [birthDate, expiryDate].every((slice) => slice === undefined || DATE.test(sliceOf(lines, slice)));
};
