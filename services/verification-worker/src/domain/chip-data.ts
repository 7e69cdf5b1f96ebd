import type { DocumentDetails, HolderDetails, MachineReadableZone } from '@assay/chip';
import { type AttributesData, type EvidenceType, type Metadata, present } from '@assay/contracts';
import { wholeNames } from '@assay/engine';
import type { Field } from './confirmation.ts';
import type { EvidenceData } from './evidence-data.ts';
import { compareSurnames, isSameName } from './names.ts';

/** The data read from a chip. `bound`: the hash of data group 1 is right. */
export interface ChipContents {
  mrz: MachineReadableZone;
  bound: boolean;
  holder?: HolderDetails | undefined;
  document?: DocumentDetails | undefined;
}

/** The types of documents that may have such a chip. */
const WITH_CHIP: readonly EvidenceType[] = ['PASSPORT', 'VISA', 'IDENTITY_CARD', 'RESIDENT_CARD', 'DRIVING_LICENSE'];
const RESIDENCE = /^(IR|AR|RP)/;

/**
 * The type of a document by its code. If the code leaves the type open, the declared type is taken,
 * if such documents have chips.
 */
export const typeOfChip = (
  { documentCode }: Pick<MachineReadableZone, 'documentCode'>,
  declared: EvidenceType,
): EvidenceType => {
  if (documentCode.startsWith('P')) return 'PASSPORT';
  if (documentCode.startsWith('V')) return 'VISA';
  if (RESIDENCE.test(documentCode) || declared === 'RESIDENT_CARD') return 'RESIDENT_CARD';
  if (/^[IAC]/.test(documentCode)) return 'IDENTITY_CARD';
  return WITH_CHIP.includes(declared) ? declared : 'ID_DOCUMENT';
};

/**
 * Compares the declared type with that of the chip. If the code leaves the type open, the chip's
 * type is the declared one itself, so nothing is confirmed.
 */
export const typeIndicator = (zone: Pick<MachineReadableZone, 'documentCode'>, declared: EvidenceType): string[] => {
  if (declared === 'ID_DOCUMENT') return [];
  const isOwn = typeOfChip(zone, 'ID_DOCUMENT') === declared;
  const isOpen = typeOfChip(zone, declared) === declared;
  return [`IDDOCUMENT_TYPE_COMPARE_${isOwn ? 'OK' : isOpen ? 'UNVERIFIED' : 'FAILED'}`];
};

const GENDERS = { MALE: 'M', FEMALE: 'F', UNSPECIFIED: 'X' } as const;

/** Whether the names fill their part of the machine-readable zone: they may be truncated. */
const isCut = ({ format, lines }: MachineReadableZone): boolean => {
  const line = format === 'TD1' ? lines[2] : lines[0];
  return line?.at(-1) !== '<';
};

const CENTURY = 100;

const aCenturyBefore = (date: string): string => `${Number(date.slice(0, 4)) - CENTURY}${date.slice(4)}`;

/**
 * Which names data group 11 has in full, in the order of the zone; none if it has others, or more
 * or fewer.
 */
const fullIn = (fullName: string, names: readonly string[]): boolean[] => {
  const full = fullName.split(/[\s-]+/).filter(Boolean);
  const words = names.map((name) => name.split(' '));
  const areTheSame = words
    .flat()
    .every((word, at) => compareSurnames({ surname: word, cut: true }, { surname: full[at] ?? '' }) === 'AGREE');
  if (!areTheSame || words.flat().length !== full.length) return names.map(() => false);
  const firsts = words.map((_, at) => words.slice(0, at).flat().length);
  return words.map((all, at) => all.every((word, next) => isSameName(word, full[firsts[at]! + next]!)));
};

/** Which names are whole, the surname first: as far as the zone tells, or by data group 11. */
const wholeIn = (mrz: MachineReadableZone, givenNames: readonly string[], fullName = ''): boolean[] => {
  const full = fullIn(fullName, [mrz.surname, ...givenNames]);
  return wholeNames(mrz.surname, givenNames, isCut(mrz)).map((isWhole, at) => isWhole || full[at] === true);
};

/**
 * The date of birth in four digits of the year. The zone has two; data group 11 may have four.
 * Nobody is born after the document was issued: if the latest possible date is, it is a century
 * earlier.
 */
export const birthDateOf = ({ mrz, holder, document }: Omit<ChipContents, 'bound'>): string | undefined => {
  const latest = mrz.dateOfBirth;
  if (latest === undefined) return undefined;
  const earlier = aCenturyBefore(latest);
  const isEarlier = holder?.dateOfBirth === earlier || latest > (document?.dateOfIssue ?? latest);
  return isEarlier ? earlier : latest;
};

/** The values that the hash of data group 1 confirms, without names that may be truncated. */
const confirmedOf = (attributes: AttributesData): Field[] => {
  const { surname, givenNames = [], dateOfBirth, gender } = attributes;
  const [first, ...middle] = givenNames;
  const all: [Field, boolean | undefined][] = [
    ['surname', surname?.verified],
    ['givenName', first?.verified],
    ['middleName', middle.length > 0 && middle.every(({ verified }) => verified)],
    ['dateOfBirth', dateOfBirth?.verified],
    ['gender', gender?.verified],
  ];
  return all.filter(([, isConfirmed]) => isConfirmed).map(([field]) => field);
};

const metadataOf = (found: Readonly<Record<string, unknown>>): Metadata[] =>
  Object.entries(found).flatMap(([key, value]) => (typeof value === 'string' ? [{ key, value }] : []));

/** What replies and the proof show of a chip; `country` is the issuing state in three letters. */
export const dataOfChip = (
  { mrz, bound, holder, document }: ChipContents,
  type: EvidenceType,
  country: (code: string) => string,
): EvidenceData => {
  const value = (text: string, isWhole = true) => ({ value: text, verified: bound && isWhole });
  const surname = mrz.surname || undefined;
  const allGiven = mrz.givenNames.split(/\s+/).filter(Boolean);
  const givenNames = allGiven.length > 0 ? allGiven : undefined;
  // The hash covers only what a zone that is too short has left of a name.
  const [isSurnameWhole, ...areWhole] = wholeIn(mrz, allGiven, holder?.fullName);
  const issuingCountry = country(mrz.issuingState);
  const gender = GENDERS[mrz.sex];
  const dateOfBirth = birthDateOf({ mrz, holder, document });
  const dates = present({
    issuingDate: document?.dateOfIssue || undefined,
    expiryDate: mrz.dateOfExpiry || undefined,
  });
  const stated = present({ surname, givenNames, dateOfBirth, gender });
  const { fullName, ...others } = holder ?? {};
  const fullname = fullName || undefined;
  const metadata = metadataOf({ ...others, issuingAuthority: document?.issuingAuthority });
  const personalAttributes: AttributesData = present({
    surname: surname ? value(surname, isSurnameWhole) : undefined,
    givenNames: givenNames?.map((name, at) => value(name, areWhole[at])),
    fullname: fullname ? value(fullname) : undefined,
    dateOfBirth: dateOfBirth ? value(dateOfBirth) : undefined,
    gender: value(gender),
  });
  return {
    idDocumentData: {
      idDocumentType: type,
      idDocumentNumber: mrz.documentNumber,
      issuingCountry,
      ...dates,
      personalAttributes,
    },
    confirmed: confirmedOf(personalAttributes),
    proof: {
      data: {
        documentNumber: mrz.documentNumber,
        issuingCountry,
        ...dates,
        holderInformation: [{ ...stated, ...present({ fullname }), nationality: country(mrz.nationality) }],
        ...(metadata.length > 0 && { metadata }),
        mrz: [...mrz.lines],
      },
    },
    person: {
      ...stated,
      cut: isCut(mrz),
      ...(surname && !givenNames && !isCut(mrz) && { single: true }),
      zone: mrz.lines.join(''),
      document: { type, number: mrz.documentNumber, country: issuingCountry, byChip: true },
    },
  };
};
