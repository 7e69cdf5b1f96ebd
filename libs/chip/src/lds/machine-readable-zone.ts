import { parse } from 'mrz';
import { malformed } from '../errors.ts';
import { latestDay } from './days.ts';
import { readDataGroup } from './files.ts';
import { numberToTheEnd } from './long-number.ts';

/** What the machine-readable zone in data group 1 says. */
export interface MachineReadableZone {
  readonly format: 'TD1' | 'TD2' | 'TD3';
  readonly lines: readonly string[];
  readonly checkDigitsValid: boolean;
  readonly documentCode: string;
  readonly issuingState: string;
  readonly documentNumber: string;
  readonly surname: string;
  readonly givenNames: string;
  readonly nationality: string;
  /** YYYY-MM-DD, if all of it is known. */
  readonly dateOfBirth?: string;
  readonly dateOfExpiry?: string;
  readonly sex: 'MALE' | 'FEMALE' | 'UNSPECIFIED';
  readonly optionalData: readonly string[];
}

const FORMATS = [
  { format: 'TD1', characters: 90, width: 30 },
  { format: 'TD2', characters: 72, width: 36 },
  { format: 'TD3', characters: 88, width: 44 },
] as const;

const MRZ_TAG = 0x5f1f;
const FRENCH = 'FRENCH_NATIONAL_ID';
const FRENCH_NUMBER_CHARACTERS = 12;

const cut = (text: string, width: number): string[] =>
  Array.from({ length: text.length / width }, (_, index) => text.slice(index * width, (index + 1) * width));

const isoDate = (year: number, month: string, day: string): string | undefined => {
  const text = `${year}-${month}-${day}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
};

/** A date of six digits: the latest such date that is not after `latest`. */
const fullDate = (text: string | null | undefined, latest: string): string | undefined => {
  const [, year, month, day] = /^(\d{2})(\d{2})(\d{2})$/.exec(text ?? '') ?? [];
  if (year === undefined) return undefined;
  const last = Number(latest.slice(0, 4)) - (`${month}-${day}` > latest.slice(5) ? 1 : 0);
  return isoDate(last - ((((last - Number(year)) % 100) + 100) % 100), month!, day!);
};

const SEX = { male: 'MALE', female: 'FEMALE' } as const;

const present = (key: 'dateOfBirth' | 'dateOfExpiry', value: string | undefined) => (value ? { [key]: value } : {});

/**
 * No chip expired before 2000: the first were issued in 2004. Cards without an end of validity have
 * 99 as their year.
 */
const LATEST_EXPIRY = '2099-12-31';

const parsedAsIs = (lines: readonly string[]) => {
  try {
    return parse(lines);
  } catch {
    // The parser throws if it takes the lines for another kind of document.
    throw malformed('the machine-readable zone is none of TD1, TD2, TD3');
  }
};

const parsed = (lines: readonly string[]) => {
  const zone = parsedAsIs(lines);
  const found = numberToTheEnd(zone.format, lines);
  if (found === undefined) return zone;
  const details = zone.details.map((one) =>
    one.field === 'documentNumberCheckDigit' ? { ...one, valid: found.isRight } : one,
  );
  return { ...zone, documentNumber: found.number, details };
};

const checkDigitsValid = ({ details }: ReturnType<typeof parsed>): boolean =>
  details.every(({ field, valid }) => !field?.endsWith('CheckDigit') || valid);

/**
 * A zone of two lines of 36. The parser takes one that begins with IDFRA for the card that France
 * issued until 2021, whose second line is another. A chip is of the standard (ICAO 9303-6), unless
 * only the check digits of that card are right. No check digit covers the code of the document.
 */
const parsedCard = ([first = '', second = '']: readonly string[]) => {
  const standard = parsed([first.replace(/^ID/, 'I<'), second]);
  if (checkDigitsValid(standard)) return standard;
  const other = parsed([first, second]);
  return other.format === FRENCH && checkDigitsValid(other)
    ? { ...other, documentNumber: second.slice(0, FRENCH_NUMBER_CHARACTERS) }
    : standard;
};

/** The nationality as it stands in the zone; the former card of France states none. */
const nationalityIn = (lines: readonly string[], format: ReturnType<typeof parsed>['format']): string => {
  if (format === FRENCH) return '';
  const stated = format === 'TD1' ? lines[1]!.slice(15, 18) : lines[1]!.slice(10, 13);
  return stated.replaceAll('<', '');
};

/**
 * Reads the characters of a machine-readable zone of 90, 72 or 88 characters without line breaks.
 */
const machineReadableZoneOf = (text: string, now: Date): MachineReadableZone => {
  const shape = FORMATS.find(({ characters }) => characters === text.length);
  if (shape === undefined || !/^[A-Z0-9<]+$/.test(text))
    throw malformed('the machine-readable zone is none of TD1, TD2, TD3');
  const lines = cut(text, shape.width);
  const zone = shape.format === 'TD2' ? parsedCard(lines) : parsed(lines);
  const { fields, documentNumber } = zone;
  const today = latestDay(now);
  const names = shape.format === 'TD1' ? lines[2]! : lines[0]!.slice(5);
  return {
    format: shape.format,
    lines,
    checkDigitsValid: checkDigitsValid(zone),
    documentCode: lines[0]!.slice(0, 2).replaceAll('<', ''),
    issuingState: lines[0]!.slice(2, 5).replaceAll('<', ''),
    documentNumber: documentNumber ?? '',
    surname: fields.lastName ?? '',
    // A surname that fills its field was cut, and the parser gives it for both names.
    givenNames: names.includes('<<') ? (fields.firstName ?? '') : '',
    nationality: nationalityIn(lines, zone.format),
    ...present('dateOfBirth', fullDate(fields.birthDate, today)),
    ...present('dateOfExpiry', fullDate(fields.expirationDate, LATEST_EXPIRY)),
    sex: SEX[fields.sex as keyof typeof SEX] ?? 'UNSPECIFIED',
    optionalData: [fields.optional1, fields.optional2, fields.optional, fields.personalNumber].filter(
      (value): value is string => Boolean(value),
    ),
  };
};

/** Reads data group 1. `now` decides the century of the date of birth. */
export const readDataGroup1 = (bytes: Uint8Array, now: Date): MachineReadableZone => {
  const field = readDataGroup(bytes, 1).children.find(({ tag }) => tag === MRZ_TAG);
  if (field === undefined) throw malformed('data group 1 has no machine-readable zone');
  return machineReadableZoneOf(field.content.toString('latin1').replace(/[\r\n]/g, ''), now);
};

/** The check digit of an absent personal number is 0 or <; issuers choose (ICAO 9303-4). */
const withoutEmptyCheck = (zone: string): string => zone.replace(/^(.{72}<{14})0(.)$/s, '$1<$2');

/** Whether two machine-readable zones are the same; line breaks and spaces do not count. */
export const sameMachineReadableZone = (one: string, other: string): boolean =>
  withoutEmptyCheck(one.replace(/\s/g, '')) === withoutEmptyCheck(other.replace(/\s/g, ''));

/** By the length of a zone: the characters that a check digit covers, and these digits. */
const CHECKED = new Map<number, readonly (readonly [from: number, to: number])[]>([
  [
    90,
    [
      [5, 37],
      [38, 45],
      [48, 60],
    ],
  ],
  [
    72,
    [
      [36, 46],
      [49, 56],
      [57, 72],
    ],
  ],
  [
    88,
    [
      [44, 54],
      [57, 64],
      [65, 88],
    ],
  ],
]);

const checkedIn = (zone: string): string => {
  const bare = withoutEmptyCheck(zone.replace(/\s/g, ''));
  return (CHECKED.get(bare.length) ?? []).map(([from, to]) => bare.slice(from, to)).join('');
};

/**
 * Whether two machine-readable zones are the same as far as check digits go: they cover neither
 * names nor states nor sex.
 */
export const sameCheckedCharacters = (one: string, other: string): boolean =>
  checkedIn(one) !== '' && checkedIn(one) === checkedIn(other);
