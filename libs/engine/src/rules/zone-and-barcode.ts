import type { IndicatorStatus } from '@assay/contracts';
import type { AamvaReading } from '../barcode/aamva-reading.ts';
import type { MrzReading } from '../mrz/read.ts';
import { NAMES_UNSURE_BELOW } from '../mrz/sure-names.ts';
import { matcherFor, type NameField } from '../viz/match.ts';

type Agreement = 'SAME' | 'LONGER' | 'OTHER';

/** Whether a text says the name, as far as that was not cut, or has further names beside it. */
const saidBy = (text: string, field: NameField, name: string, isCut: boolean): Agreement => {
  const names = field === 'surname' ? { surname: name } : { givenNames: [name] };
  const matcher = matcherFor({ ...names, transliterated: true, nameTruncated: isCut });
  matcher.look({ text });
  const match = matcher.result()[field]?.match;
  if (match === 'exact') return 'SAME';
  return match === 'partly' ? 'LONGER' : 'OTHER';
};

/** Both are the issuer's, each in its own letters (LÉVESQUE, MÜLLER), and cut at its own length. */
const compared = (
  field: NameField,
  zone: string,
  barcode: string,
  cut: { zone: boolean; barcode: boolean },
): Agreement => {
  const both = [saidBy(barcode, field, zone, cut.zone), saidBy(zone, field, barcode, cut.barcode)];
  if (zone === barcode || both.includes('SAME')) return 'SAME';
  return both.includes('LONGER') ? 'LONGER' : 'OTHER';
};

/** A zone has no field for a suffix (JR, III): it stands behind one of the names. */
const sameSurname = (
  zone: string,
  { surname = '', nameSuffix }: AamvaReading,
  cut: { zone: boolean; barcode: boolean },
): Agreement => {
  const bare = compared('surname', zone, surname, cut);
  if (bare === 'SAME' || !nameSuffix) return bare;
  return compared('surname', zone, `${surname} ${nameSuffix}`, cut) === 'SAME' ? 'SAME' : bare;
};

/**
 * Zone and barcode of one card. No check digit covers names: what is not surely read proves
 * nothing. Later given names may be left out or in short on either side.
 */
export const crossCheck = ({ fields, checks, valid, pitch }: MrzReading, licence: AamvaReading): IndicatorStatus => {
  const { surname, givenNames, birthDate, nameTruncated } = fields;
  const cutIn = (name: AamvaReading['truncated'][number]) => ({
    zone: nameTruncated,
    barcode: licence.truncated.includes(name),
  });
  const isSameDay = birthDate !== undefined && birthDate === licence.birthDate;
  const isOtherDay = birthDate !== undefined && licence.birthDate !== undefined && !isSameDay;
  if (isOtherDay && checks.birthDate) return 'FAILED';
  const names = sameSurname(surname, licence, cutIn('surname'));
  if (names === 'OTHER' && licence.surname && valid && pitch >= NAMES_UNSURE_BELOW) return 'FAILED';
  if (!isSameDay || names !== 'SAME' || !surname) return 'UNVERIFIED';
  const [first = '', given = ''] = [givenNames[0], licence.givenNames[0]];
  if ((first === '') !== (given === '')) return 'UNVERIFIED';
  return compared('givenNames', first, given, cutIn('givenName')) === 'OTHER' ? 'WARNING' : 'OK';
};
