import { dateDistance, datesIn } from './dates.ts';
import { isHidden, isPartly, isSpelt, NUMBER_SPELLING, nameSpelling, PARTLY, plain, type Spelling } from './letters.ts';
import { createWordSearch } from './name-words.ts';
import { inOtherScript } from './other-script.ts';
import { sharedNames } from './shared-names.ts';
import { bestOfParts, type Printed, type Sighting, sightingOf, turnedSighting } from './sighting.ts';
import { type Known, shortenedIn } from './words.ts';

/** What a barcode says of its holder beside names, number, dates and sex. */
export interface Description {
  address?: { streetLines: readonly string[]; city?: string; state?: string; postcode?: string };
  /** Feet and two digits of inches: 511. */
  height?: string;
  /** As the barcode abbreviates it: BRO. */
  eyeColor?: string;
}

/**
 * What the machine-readable part says and the visual zone should show. Names upper case, dates ISO.
 */
export interface ExpectedValues {
  surname?: string;
  givenNames?: readonly string[];
  /** Stands behind one of the names where the issuer prints it: JR, III. */
  nameSuffix?: string;
  /** The machine-readable names may have been cut, or these of them: the printed ones may go on. */
  nameTruncated?: boolean | readonly NameField[];
  /** The names are a zone's, which has letters without marks, some of them two for one. */
  transliterated?: true;
  documentNumber?: string;
  birthDate?: string;
  expiryDate?: string;
  issuingDate?: string;
  sex?: 'M' | 'F' | 'X';
  /** As the zone has them; no check digit covers either. */
  nationality?: string;
  issuingState?: string;
  /** What a barcode says of its holder beside these values. */
  description?: Description;
  /** How the issuer writes dates in figures; absent where that is not known. */
  monthFirst?: boolean;
  /** What calls its number its own; absent where the zone may have another one, as on visas. */
  numberLabel?: 'PASSPORT' | 'CARD' | 'LICENCE';
}

export const VISUAL_FIELDS = [
  'surname',
  'givenNames',
  'documentNumber',
  'birthDate',
  'expiryDate',
  'issuingDate',
] as const;
export type VisualField = (typeof VISUAL_FIELDS)[number];

/** How the visual zone agrees with one expected value. */
export interface FieldCheck {
  /**
   * exact; unread: all of it but letters that the recogniser does not know; partly: a name with
   * further words, or in short on either side; near: something like it, but not it; absent: nothing
   * like it was read.
   */
  match: 'exact' | 'unread' | 'partly' | 'near' | 'absent';
  edits: number;
  /** As printed, in the visual zone's own spelling. */
  seen?: string;
}

/** Whether print does not contradict the value: it says it, or all of it that was read. */
export const agrees = (match: FieldCheck['match'] | undefined): boolean =>
  match === 'exact' || match === 'unread' || match === 'partly';

/** Day and month exchanged make another date: an issuer's own order decides, where it is known. */
const isInOrder = (order: boolean | undefined, issuersOrder: boolean | undefined): boolean =>
  order === undefined || issuersOrder === undefined || order === issuersOrder;

const dateSighting = (line: Printed, iso: string, { monthFirst }: ExpectedValues): Sighting | undefined =>
  datesIn(line.text)
    .filter((printed) => isInOrder(printed.monthFirst, monthFirst))
    .map((printed) => ({ edits: dateDistance(printed, iso), seen: printed.text }))
    .sort((a, b) => a.edits - b.edits)[0];

/**
 * Most edits at which a value still counts as meant: a third of its length, two digits of a date.
 */
const nearLimit = (field: VisualField, length: number): number =>
  field.endsWith('Date') ? 2 : Math.max(1, Math.floor(length * 0.34));

const matchOf = ({ edits }: Sighting): FieldCheck['match'] => {
  if (edits === 0) return 'exact';
  if (isPartly(edits)) return 'partly';
  return isHidden(edits) ? 'unread' : 'near';
};

export type NameField = 'surname' | 'givenNames';

interface Matcher {
  /** Takes one more line of print into account. */
  look: (line: Printed) => void;
  /** Fields not seen exactly yet. */
  open: () => VisualField[];
  result: () => Partial<Record<VisualField, FieldCheck>>;
}

/** The words of a name: two surnames, as two given names, may stand in lines of their own. */
export const wordsOf = ({ surname = '', givenNames = [] }: ExpectedValues): Record<NameField, string[]> => ({
  surname: surname.split(/[ -]/).map(plain).filter(Boolean),
  givenNames: givenNames.map(plain),
});

const knownRuns = (
  words: Record<NameField, string[]>,
  { nameSuffix = '', issuingState }: ExpectedValues,
  spelling: Spelling,
): Known => {
  const suffix = plain(nameSuffix);
  const surname = words.surname.join('');
  const given = words.givenNames.join('');
  const runs = [...words.surname, ...words.givenNames, surname, given, surname + given, given + surname, suffix];
  const isOther = inOtherScript([...words.surname, ...words.givenNames], issuingState);
  return (run) => runs.some((value) => value === run || isSpelt(value, run, spelling)) || isOther(spelling.same(run));
};

/** A front prints the whole surname of its barcode. */
const shortSighting = (
  { text }: Printed,
  field: NameField,
  names: readonly string[],
  { spelling, known }: { spelling: Spelling; known: Known },
): Sighting | undefined => {
  const seen = spelling.unknown || field === 'givenNames' ? shortenedIn(text, names, spelling, known) : undefined;
  return seen === undefined ? undefined : { edits: PARTLY, seen };
};

const isCut = ({ nameTruncated = false }: ExpectedValues, field: NameField): boolean =>
  nameTruncated === true || (nameTruncated !== false && nameTruncated.includes(field));

/** The best sighting of each value so far: of all of it, and of each word of a name. */
const bestSightings = (wanted: readonly VisualField[], words: Readonly<Record<NameField, readonly string[]>>) => {
  const parts = new Map<VisualField, Map<string, Sighting>>(wanted.map((field) => [field, new Map()]));
  return {
    note: (field: VisualField, key: string, seen: Sighting | undefined): void => {
      const before = parts.get(field)!.get(key);
      if (seen && (!before || seen.edits < before.edits)) parts.get(field)!.set(key, seen);
    },
    bestOf: (field: VisualField): Sighting | undefined =>
      bestOfParts(parts.get(field)!, field === 'surname' || field === 'givenNames' ? words[field].length : 1),
  };
};

/**
 * Looks for the expected values among lines of print: values, not labels, so that no layout needs
 * to be known.
 */
export const matcherFor = (expected: ExpectedValues): Matcher => {
  const words = wordsOf(expected);
  const spelling = nameSpelling(expected.transliterated);
  const seenIn = {
    surname: createWordSearch(words.surname, false),
    givenNames: createWordSearch(words.givenNames, true),
  };
  const known = knownRuns(words, expected, spelling);
  const uncut = isCut(expected, 'givenNames') ? words.givenNames.slice(0, -1) : words.givenNames;
  const shared = sharedNames({ ...words, givenNames: uncut }, spelling, known);
  const wanted = VISUAL_FIELDS.filter((field) => expected[field]?.length);
  const { note, bestOf } = bestSightings(wanted, words);
  const byNumber = { spelling: NUMBER_SPELLING, known, mayGoOn: false, isName: false };
  const lookForName = (field: NameField) => (line: Printed) => {
    const byName = { spelling, known, mayGoOn: isCut(expected, field), isName: true };
    note(field, 'all', sightingOf(line, words[field].join(''), byName));
    note(field, 'all', shortSighting(line, field, words[field], byName));
    if (field === 'surname') note(field, 'all', turnedSighting(line, words[field], byName));
    for (const [i, seen] of seenIn[field](line, byName)) note(field, String(i), seen);
  };
  const lookFor: Record<VisualField, (line: Printed) => void> = {
    surname: lookForName('surname'),
    givenNames: lookForName('givenNames'),
    documentNumber: (line) =>
      note('documentNumber', 'all', sightingOf(line, plain(expected.documentNumber!), byNumber)),
    birthDate: (line) => note('birthDate', 'all', dateSighting(line, expected.birthDate!, expected)),
    expiryDate: (line) => note('expiryDate', 'all', dateSighting(line, expected.expiryDate!, expected)),
    issuingDate: (line) => note('issuingDate', 'all', dateSighting(line, expected.issuingDate!, expected)),
  };

  /** All of a name that is not the other one was seen. */
  const isSeen = (field: VisualField): boolean =>
    bestOf(field)?.edits === 0 && (field !== 'givenNames' || shared.areAllSeen());

  const lengthOf = (field: VisualField): number => plain([expected[field]].flat().join('')).length;

  return {
    look: (line) => {
      shared.look(line.text);
      for (const field of wanted) if (bestOf(field)?.edits !== 0) lookFor[field](line);
    },
    // Not every document prints the day it was issued: the rest of a page is not searched for it.
    open: () => wanted.filter((field) => field !== 'issuingDate' && !isSeen(field)),
    result: () =>
      Object.fromEntries(
        wanted.map((field): [VisualField, FieldCheck] => {
          const best = bestOf(field);
          if (!best || best.edits > nearLimit(field, lengthOf(field)))
            return [field, { match: 'absent', edits: best?.edits ?? 99 }];
          const match = best.edits === 0 && !isSeen(field) ? 'partly' : matchOf(best);
          return [field, { match, edits: Math.floor(best.edits), seen: best.seen }];
        }),
      ),
  };
};
