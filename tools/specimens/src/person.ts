import { between, pick, type Random } from './random.ts';

/**
 * The holder and the document's data, as the issuer knows them. Dates are `YYYY-MM-DD`, names
 * upper case; letters with marks are printed, and transliterated in zones.
 */
export interface Person {
  surname: string;
  givenNames: string[];
  number: string;
  /** ICAO three-letter code. */
  issuingState: string;
  nationality: string;
  birthDate: string;
  issueDate: string;
  expiryDate: string;
  sex: 'M' | 'F';
  street: string;
  city: string;
  postcode: string;
}

/** The holder on every committed specimen. */
export const SPECIMEN: Person = {
  surname: 'SPECIMEN',
  givenNames: ['BARRY', 'HENRY'],
  number: 'L898902C3',
  issuingState: 'UTO',
  nationality: 'UTO',
  birthDate: '1974-08-12',
  issueDate: '2025-04-16',
  expiryDate: '2035-04-15',
  sex: 'M',
  street: '2300 EXAMPLE STREET',
  city: 'RICHMOND',
  postcode: '23269',
};

const ONSETS = ['B', 'D', 'F', 'G', 'H', 'K', 'L', 'M', 'N', 'P', 'R', 'S', 'T', 'V', 'W', 'Z', 'BR', 'KL', 'ST', 'TR'];
const VOWELS = ['A', 'E', 'I', 'O', 'U', 'AU', 'EI'];
const CODAS = ['', '', 'N', 'R', 'S', 'L', 'M', 'T', 'ND', 'RK'];

const word = (random: Random, syllables: number): string =>
  Array.from({ length: syllables }, () => pick(random, ONSETS) + pick(random, VOWELS) + pick(random, CODAS)).join('');

/** A pronounceable name that belongs to nobody, short enough for every machine-readable zone. */
export const randomName = (random: Random): string => word(random, between(random, 2, 3)).slice(0, 12);

export function randomNumber(random: Random): string {
  const digits = (count: number) => Array.from({ length: count }, () => between(random, 0, 9)).join('');
  return pick(random, [
    () => `${pick(random, ['C', 'K', 'L', 'P', 'X'])}${digits(8)}`,
    () => `${pick(random, ['PA', 'XN', 'YK'])}${digits(7)}`,
    () => `${pick(random, ['L', 'E'])}${digits(6)}C${digits(1)}`,
    () => digits(9),
  ])();
}

/** A day between the first of January of `from` and the 28th of December of `to`. */
export function randomDate(random: Random, from: number, to: number): string {
  const part = (value: number) => String(value).padStart(2, '0');
  return `${between(random, from, to)}-${part(between(random, 1, 12))}-${part(between(random, 1, 28))}`;
}

/** A random holder whose document is valid from 2024 or 2025 until 2034 or later. */
export function randomPerson(random: Random): Person {
  const double = random() < 0.15;
  return {
    surname: double ? `${word(random, 2).slice(0, 8)} ${word(random, 2).slice(0, 8)}` : randomName(random),
    givenNames: Array.from({ length: pick(random, [1, 2, 2]) }, () => randomName(random)),
    number: randomNumber(random),
    issuingState: 'UTO',
    nationality: 'UTO',
    birthDate: randomDate(random, 1940, 2006),
    issueDate: randomDate(random, 2024, 2025),
    expiryDate: randomDate(random, 2034, 2039),
    sex: pick(random, ['M', 'F']),
    street: `${between(random, 1, 9999)} ${randomName(random)} STREET`,
    city: randomName(random),
    postcode: String(between(random, 10000, 99899)),
  };
}
