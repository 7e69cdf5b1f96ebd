import { present } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import type { AamvaReading } from './aamva-reading.ts';
import { dateOf } from './dates.ts';
import { issuerOf } from './issuers.ts';

/**
 * `%` state, city `^` names `^` address `^` `?` `;` issuer number `=` expiry YYMM, birth date `?`
 * third track.
 */
const TRACKS =
  /%([A-Z]{2})([^^]{0,13})\^([^^]*)\^([^^?]*)\^?\??[\s\S]*?;(\d{6})(\d*)=(\d{4})(\d{8})(\d*)=?\??([\s\S]*)/;

const NO_EXPIRY = '77';

const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * A month of 77 means no expiry, 88 the last day of the birth month, 99 the birthday itself (ISO
 * 7811 as AAMVA uses it).
 */
const expiryOf = (yymm: string, birth = ''): string | undefined => {
  const year = 2000 + Number(yymm.slice(0, 2));
  const code = yymm.slice(2);
  if (code === NO_EXPIRY) return undefined;
  const month = code === '88' || code === '99' ? birth.slice(5, 7) : code;
  const last = lastDay(year, Number(month));
  const day = code === '99' ? Math.min(Number(birth.slice(8)), last) : last;
  return dateOf(String(year), month, String(day).padStart(2, '0'));
};

const SEXES = table<'M' | 'F' | 'X'>({ 1: 'M', 2: 'F', M: 'M', F: 'F' });

/**
 * The third track begins with version and security bytes, then postcode (11), class (2),
 * restrictions (10), endorsements (4), sex, height, weight.
 */
const thirdTrack = (text: string) => {
  const match = /[%#"!].{1,2}?([A-Z0-9 ]{11}).{2}.{10}.{4}([12MF])(\d{3})?(\d{3})?/.exec(text);
  if (!match) return {};
  const [, postcode, sex, height, weight] = match;
  return { postcode: postcode!.trim(), sex: SEXES[sex!], height, weight };
};

/**
 * The magnetic-stripe form that some jurisdictions put into their barcode; undefined if the text
 * has another form.
 */
export const magneticStripe = (text: string): AamvaReading | undefined => {
  const match = TRACKS.exec(text);
  if (!match) return undefined;
  const [, state, city, names, street, iin, number, expiry, birth, overflow, rest] = match as unknown as string[];
  const birthDate = dateOf(birth!.slice(0, 4), birth!.slice(4, 6), birth!.slice(6));
  const [surname, ...given] = names!.split(/[$,]/).map((part) => part.trim());
  const { postcode, sex, height, weight } = thirdTrack(rest!);
  return present({
    form: 'MAGNETIC_STRIPE' as const,
    iin: iin!,
    version: 0,
    issuer: issuerOf(iin!),
    kind: 'DRIVING_LICENSE' as const,
    documentNumber: number! + overflow!,
    surname: surname || undefined,
    givenNames: given.flatMap((part) => part.split(/ +/)).filter(Boolean),
    truncated: [],
    birthDate,
    expiryDate: expiryOf(expiry!, birthDate),
    neverExpires: expiry!.endsWith(NO_EXPIRY) ? (true as const) : undefined,
    sex,
    height,
    weight: weight && String(Number(weight)),
    address: present({
      streetLines: street!
        .split('$')
        .map((line) => line.trim())
        .filter(Boolean),
      city: city!.trim() || undefined,
      state: state!,
      postcode: postcode || undefined,
    }),
    elements: {},
    warnings: ['magneticStripe'],
  });
};
