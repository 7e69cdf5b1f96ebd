import { asRecorded } from '../matching/fold.ts';
import { type Nearness, nearness } from '../matching/near.ts';
import type { Book } from '../source/book.ts';
import { magicReply } from '../source/magic.ts';
import { numberOf, plainNumber, type SourceRecord, spelledNumberOf, stateOf, typeOf } from '../source/record.ts';
import { eyeColorOf, heightOf, personOf, stateCodeOf } from './holder.ts';
import type { AskedLicence } from './request.ts';

export type Matches = Record<string, boolean | undefined>;

const CATEGORIES: Readonly<Record<string, string>> = { DRIVING_LICENSE: '1', IDENTITY_CARD: '3' };

/** Absent where either side has nothing to compare. */
const same = (asked: string | undefined, recorded: string | undefined): boolean | undefined =>
  asked === undefined || recorded === undefined ? undefined : asRecorded(asked) === asRecorded(recorded);

/** A name: exactly, and where that fails approximately. */
const name = (part: 'Last' | 'First' | 'Middle', asked: string | undefined, recorded: string | undefined): Matches => {
  const exact = same(asked, recorded);
  const near: Partial<Nearness> = exact === false ? nearness(asked ?? '', recorded ?? '') : {};
  return {
    [`Person${part}NameExact`]: exact,
    [`Person${part}NameFuzzyPrimary`]: near.primary,
    [`Person${part}NameFuzzyAlternate`]: near.alternate,
  };
};

const compared = (asked: AskedLicence, record: SourceRecord): Matches => {
  const holder = personOf(record);
  const attributes = record.personalAttributes;
  const [line1, line2] = record.address?.streetDetails?.streetLines ?? [];
  return {
    DriverLicenseNumber: true,
    DocumentCategory: same(asked.category, CATEGORIES[typeOf(record)]),
    DriverLicenseIssueDate: same(asked.issueDate, record.issuingDate),
    DriverLicenseExpirationDate: same(asked.expirationDate, record.expiryDate),
    PersonBirthDate: same(asked.birthDate, attributes?.dateOfBirth?.value),
    ...name('Last', asked.surname, holder.surname),
    ...name('First', asked.givenName, holder.givenName),
    ...name('Middle', asked.middleName, holder.middleName),
    PersonMiddleInitial: same(asked.middleName?.slice(0, 1), holder.middleName?.slice(0, 1)),
    PersonNameSuffix: same(asked.suffix, holder.suffix),
    PersonSexCode: same(asked.sex, { M: '1', F: '2' }[attributes?.gender?.value ?? '']),
    PersonHeight: same(asked.height, heightOf(attributes?.height?.value)),
    PersonEyeColor: same(asked.eyeColor, eyeColorOf(attributes?.eyeColor?.value)),
    AddressLine1: same(asked.street[0], line1),
    AddressLine2: same(asked.street[1], line2),
    AddressCity: same(asked.city, record.address?.city),
    AddressStateCode: same(asked.state, stateCodeOf(record.address?.state)),
    AddressZIP5: same(asked.postcode?.slice(0, 5), record.address?.postcode?.slice(0, 5)),
  };
};

const isUnder = (asked: AskedLicence, record: SourceRecord): boolean => {
  const [a, b] = [plainNumber(asked.number), numberOf(record)];
  const sameNumber = a === b || (asked.destination === 'SC' && a.padStart(8, '0') === b.padStart(8, '0'));
  return sameNumber && stateOf(record) === asked.destination && typeOf(record) !== 'MEDICARE';
};

const NONE: Matches = { DriverLicenseNumber: false };

const magicMatches = (asked: AskedLicence): Matches => {
  const all: Matches = {
    DriverLicenseNumber: true,
    DriverLicenseExpirationDate: asked.expirationDate === undefined ? undefined : true,
    PersonBirthDate: true,
  };
  switch (magicReply(plainNumber(asked.number))) {
    case undefined:
    case 'NO_MATCH':
      return NONE;
    case 'DOCUMENT_ERROR':
      return { DriverLicenseNumber: true };
    case 'NEAR_NAMES':
      return {
        ...all,
        PersonLastNameExact: false,
        PersonLastNameFuzzyPrimary: true,
        PersonFirstNameExact: false,
        PersonFirstNameFuzzyAlternate: true,
      };
    default:
      return { ...all, PersonLastNameExact: true, PersonFirstNameExact: true };
  }
};

/**
 * The indicators of a question: of the record under that number at that administration, the same
 * kind of document first.
 */
export const verify = (book: Book, asked: AskedLicence): { matches: Matches; spelled: string } => {
  const records = book.under(asked.number).filter((record) => isUnder(asked, record));
  const record = records.find((one) => CATEGORIES[typeOf(one)] === asked.category) ?? records[0];
  return record
    ? { matches: compared(asked, record), spelled: spelledNumberOf(record) }
    : { matches: magicMatches(asked), spelled: asked.number };
};
