import { present } from '@assay/contracts';
import { type AamvaElements, aamvaElements, withoutTail } from './aamva-elements.ts';
import type { AamvaReading } from './aamva-reading.ts';
import { dateOf } from './dates.ts';
import { issuerOf } from './issuers.ts';
import { magneticStripe } from './magnetic-stripe.ts';

/**
 * MMDDCCYY in the United States, CCYYMMDD in Canada and version 1. The possible one is used; if
 * both are, the country decides.
 */
export const aamvaDate = (text: string | undefined, yearFirst: boolean): string | undefined => {
  const digits = (text ?? '').replace(/\D/g, '');
  if (digits.length !== 8) return undefined;
  const isYear = (part: string) => /^(19|20)\d\d$/.test(part);
  const first = isYear(digits.slice(0, 4))
    ? dateOf(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6))
    : undefined;
  const last = isYear(digits.slice(4)) ? dateOf(digits.slice(4), digits.slice(0, 2), digits.slice(2, 4)) : undefined;
  return yearFirst ? (first ?? last) : (last ?? first);
};

/**
 * The standard writes NONE for mandatory data that a card does not have. Issuers of cards for life
 * write the same in words, or as a day that never comes; UNAVL is no such statement.
 */
const NEVER = /^(NONE|INDEF(INITE)?|NON[ -]?EXP(IR(ING|ES))?|NEVER|NO EXP(IRATION)?|9{8}|12319999|99991231)$/i;

const NOTHING = /^(NONE|UNAVL|UNK|N\/A|)$/i;
const UNKNOWN = /^(UNAVL|UNK)$/i;
const value = (text: string | undefined): string | undefined =>
  text === undefined || NOTHING.test(withoutTail(text)) ? undefined : withoutTail(text).toUpperCase();

const split = (text: string | undefined, by: RegExp): string[] =>
  (value(text) ?? '').split(by).map(withoutTail).filter(Boolean);

const namesOf = (e: AamvaElements['elements']) => {
  const surname = value(e.DCS ?? e.DAB);
  const given = value(e.DAC);
  if (given) return { surname, givenNames: [given, ...split(e.DAD, / +/)] };
  if (value(e.DCT)) return { surname, givenNames: split(e.DCT, /[, ]+/) };
  const full = split(e.DAA, value(e.DAA)?.includes(',') ? /,/ : / +/);
  return { surname: surname ?? full[0], givenNames: full.slice(1, 3), suffix: full[3] };
};

const heightOf = ({ DAU, DAV }: AamvaElements['elements']): string | undefined => {
  // Version 1 has an element for centimetres, without a unit.
  const text = DAU || DAV?.replace(/^\d{2,3}$/, '$& cm');
  const [, feet, rest] = /^(\d)(?:'[\s-]*|-)(\d{1,2})/.exec(text ?? '') ?? [];
  if (feet) return feet + rest!.padStart(2, '0');
  const [, number, unit] = /^(\d{2,3})\s*(in|cm)?/i.exec(text ?? '') ?? [];
  if (!number) return undefined;
  // Version 1 and 2 print feet and inches without a unit: 509 is 5'9".
  if (!unit) return number;
  const inches = unit.toLowerCase() === 'cm' ? Math.round(Number(number) / 2.54) : Number(number);
  return `${Math.floor(inches / 12)}${String(inches % 12).padStart(2, '0')}`;
};

const weightOf = (e: AamvaElements['elements']): string | undefined => {
  const pounds = /^\d{2,3}/.exec(e.DAW ?? '')?.[0];
  const kilograms = /^\d{2,3}/.exec(e.DAX ?? '')?.[0];
  if (pounds) return String(Number(pounds));
  return kilograms && String(Math.round(Number(kilograms) * 2.20462));
};

// Not a plain object: a barcode may say `__proto__`.
const SEXES: ReadonlyMap<string, 'M' | 'F' | 'X'> = new Map([
  ...(['M', 'F', 'X'] as const).map((sex) => [sex, sex] as const),
  ['1', 'M'],
  ['2', 'F'],
  ['9', 'X'],
]);

const postcodeOf = (text: string | undefined): string | undefined => {
  const bare = value(text)?.replace(/\s/g, '');
  if (bare === undefined) return undefined;
  if (/^\d{9}$/.test(bare)) return bare.endsWith('0000') ? bare.slice(0, 5) : `${bare.slice(0, 5)}-${bare.slice(5)}`;
  return bare.replace(/-$/, '');
};

const addressOf = (e: AamvaElements['elements']): AamvaReading['address'] => {
  const streetLines = [value(e.DAG ?? e.DAL), value(e.DAH ?? e.DAM)].filter((line) => line !== undefined);
  const city = value(e.DAI ?? e.DAN);
  const state = value(e.DAJ ?? e.DAO);
  const postcode = postcodeOf(e.DAK ?? e.DAP) || undefined;
  if (!streetLines.length && !city && !state && !postcode) return undefined;
  return present({ streetLines, city, state, postcode, country: value(e.DCG) });
};

const TRUNCATIONS = [
  ['DDE', 'surname'],
  ['DDF', 'givenName'],
  ['DDG', 'middleName'],
] as const;

const fromElements = (parsed: AamvaElements): AamvaReading => {
  const e = parsed.elements;
  const issuer = issuerOf(parsed.iin);
  const yearFirst = e.DCG === 'CAN' || issuer?.country === 'CAN' || parsed.version === 1;
  const { surname, givenNames, suffix } = namesOf(e);
  return present({
    form: 'AAMVA' as const,
    iin: parsed.iin,
    version: parsed.version,
    issuer,
    kind:
      parsed.types.includes('ID') && !parsed.types.includes('DL')
        ? ('IDENTITY_CARD' as const)
        : ('DRIVING_LICENSE' as const),
    documentNumber: value(e.DAQ),
    surname,
    givenNames,
    givenNamesUnknown:
      givenNames.length === 0 && [e.DAC, e.DCT].some((text = '') => UNKNOWN.test(withoutTail(text)))
        ? (true as const)
        : undefined,
    nameSuffix: value(e.DCU ?? e.DAE) ?? suffix,
    truncated: TRUNCATIONS.filter(([id]) => e[id] === 'T').map(([, name]) => name),
    birthDate: aamvaDate(e.DBB, yearFirst),
    expiryDate: aamvaDate(e.DBA, yearFirst),
    neverExpires: NEVER.test(withoutTail(e.DBA ?? '')) ? (true as const) : undefined,
    issuingDate: aamvaDate(e.DBD, yearFirst),
    sex: SEXES.get(e.DBC ?? ''),
    height: heightOf(e),
    weight: weightOf(e),
    eyeColor: value(e.DAY),
    address: addressOf(e),
    elements: e,
    warnings: parsed.warnings,
  });
};

/**
 * Reads barcode or magnetic-stripe text; undefined if it is neither. Fields that the text lacks are
 * absent.
 */
export const parseAamva = (text: string): AamvaReading | undefined => {
  const parsed = aamvaElements(text);
  return parsed ? fromElements(parsed) : magneticStripe(text);
};
