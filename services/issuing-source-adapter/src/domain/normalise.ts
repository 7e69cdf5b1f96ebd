import { eyeColorCode, usState } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import type { Values } from './document.ts';
import { foldName, foldText, plainNumber } from './fold.ts';
import { usHeight } from './measures.ts';
import type { Normalisation } from './source.ts';

type Normalise = (values: Values, jurisdiction: string | undefined) => Record<string, string | undefined>;

const SUFFIXES: readonly string[] = ['JR', 'SR', 'II', 'III', 'IV', '1ST', '2ND', '3RD', '4TH', '5TH', '6TH'];

/**
 * Removes a generation suffix from a surname. Only after another word, so that a surname never
 * becomes empty.
 */
export const splitSuffix = (surname: string): { surname: string; suffix?: string } => {
  const words = surname.replace(/[.,]/g, ' ').trim().split(/\s+/);
  const last = words.at(-1)?.toUpperCase();
  if (words.length < 2 || !last || !SUFFIXES.includes(last)) return { surname };
  return { surname: words.slice(0, -1).join(' '), suffix: last };
};

const folded = (text: string | undefined): string | undefined => (text === undefined ? undefined : foldName(text));
const text = (value: string | undefined): string | undefined => (value === undefined ? undefined : foldText(value));

const names = (values: Values) => ({
  givenName: folded(values.givenName),
  middleName: folded(values.middleName),
  surname: folded(values.surname),
});

const NAME_LINES = ['fullName', 'fullName2', 'fullName3', 'fullName4'] as const;

/**
 * The lines of a full name, which are one name: if one has no plain form, none is asked.
 */
const fullName = (values: Values): Values => {
  const lines = NAME_LINES.map((line) => [line, folded(values[line])] as const);
  const isWhole = lines.every(([line, plain]) => values[line] === undefined || plain);
  return Object.fromEntries(isWhole ? lines : NAME_LINES.map((line) => [line, undefined]));
};

// A number shorter than South Carolina's eight digits has lost its leading zeros. One without any
// plain form has no such number: zeros alone would be the number of somebody else.
const usNumber = (number: string | undefined, state: string | undefined): string | undefined => {
  const plain = number === undefined ? undefined : plainNumber(number);
  return state === 'SC' && plain ? plain.padStart(8, '0') : plain;
};

/**
 * The lines of a street, which are asked by their order: the second one alone would be compared
 * with the first.
 */
const usStreet = ({ street1, street2 }: Values) => {
  const first = text(street1);
  return { street1: first, street2: first ? text(street2) : undefined };
};

// M and F have codes; X has none, and is not sent.
const US_SEX = table<string>({ M: '1', F: '2' });

const forAamva: Normalise = (values, jurisdiction) => {
  const { surname, suffix } = splitSuffix(values.surname ?? '');
  return {
    ...values,
    ...names({ ...values, surname }),
    suffix,
    number: usNumber(values.number, jurisdiction),
    cardNumber: undefined,
    fullName: undefined,
    gender: US_SEX[values.gender ?? ''],
    height: usHeight(values.height ?? ''),
    eyeColor: eyeColorCode(values.eyeColor ?? ''),
    ...usStreet(values),
    city: text(values.city),
    state: usState(values.state ?? ''),
    postcode: /^\d{5}(-?\d{4})?$/.exec(values.postcode?.trim() ?? '')?.[0]?.slice(0, 5),
  };
};

/** Of a green card only month and year are printed: its day is not asked about. */
const cardExpiry = ({ cardType, expiryDate }: Values): string | undefined =>
  cardType === 'G' ? expiryDate?.slice(0, 7) : expiryDate;

/**
 * Eleven digits are the card number followed by the individual reference number. If another
 * reference number is stated beside them, it is unknown which is right: neither is asked, so no
 * answer confirms a digit that was left out.
 */
const withReference = (number: string, reference: string | undefined) => {
  if (!/^\d{11}$/.test(number)) return { number, individualReference: reference };
  const printed = number.slice(10);
  if (reference !== undefined && reference !== printed) return { number: undefined, individualReference: undefined };
  return { number: number.slice(0, 10), individualReference: printed };
};

const forDvs: Normalise = (values) => ({
  ...values,
  ...(values.cardType
    ? withReference(plainNumber(values.number ?? ''), values.individualReference)
    : { number: plainNumber(values.number ?? ''), ...names(values) }),
  cardNumber: values.cardNumber === undefined ? undefined : plainNumber(values.cardNumber),
  expiryDate: cardExpiry(values),
  ...fullName(values.cardType ? values : {}),
});

const forFolded: Normalise = (values) => ({
  ...values,
  ...names(values),
  ...fullName(values),
  number: plainNumber(values.number ?? ''),
  street1: text(values.street1),
  street2: text(values.street2),
  city: text(values.city),
});

const WAYS: Readonly<Record<Normalisation, Normalise>> = {
  DVS: forDvs,
  AAMVA: forAamva,
  FOLDED: forFolded,
  AS_SUBMITTED: (values) => values,
};

/**
 * The values of a document in the form of a source. A value without such a form is left out, and so
 * is not compared.
 */
export const normalise = (way: Normalisation, values: Values, jurisdiction: string | undefined): Values =>
  Object.fromEntries(Object.entries(WAYS[way](values, jurisdiction)).filter(([, value]) => value));
