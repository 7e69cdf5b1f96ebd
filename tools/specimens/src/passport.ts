import type { OverlayOptions } from 'sharp';
import { type Alteration, applyAlteration, type Readings } from './alteration.ts';
import { passportLines, withWrongCheckDigit } from './machine-lines.ts';
import { field, ghostPortrait, guilloche, machineZone, portrait, print, text, wordDate } from './paint.ts';
import type { Person } from './person.ts';
import { type Random, seeded } from './random.ts';
import type { Place } from './swap.ts';

/**
 * Shared by every document: the holder's photograph, what was forged, and the numbers to forge
 * with.
 */
export interface DrawOptions {
  /** Any image sharp reads, trimmed to the head. */
  portrait: Buffer;
  /** The face that replaces the holder's where the alteration is `portrait`. */
  otherPortrait?: Buffer;
  alter?: Alteration;
  random?: Random;
  /**
   * A second, smaller and fainter portrait: whose, and how strong it is printed (0 to 1).
   * Passports, identity cards and US licences have a place for one.
   */
  ghost?: { portrait: Buffer; strength: number };
}

/** What a reader should find. `machine` and `printed` differ in the altered field only. */
export interface Truth extends Readings {
  mrz?: string[];
  barcode?: string;
  alteration?: Alteration;
}

export interface DrawnDocument {
  front: Buffer;
  back?: Buffer;
  truth: Truth;
}

/** The photograph to print. */
export const face = (options: DrawOptions): Buffer =>
  options.alter?.kind === 'portrait' ? (options.otherPortrait ?? options.portrait) : options.portrait;

/** The second portrait at its place, where the document has one. */
export const ghostAt = async (
  { ghost }: DrawOptions,
  { left, top, width, height }: Place,
): Promise<OverlayOptions[]> =>
  ghost ? [{ input: await ghostPortrait(ghost.portrait, width, height, ghost.strength), left, top }] : [];

/** The truth of a document drawn with these options. */
export function truthOf(person: Person, options: DrawOptions): Truth {
  const readings = applyAlteration(person, options.alter, options.random ?? seeded(1));
  return options.alter ? { ...readings, alteration: options.alter } : readings;
}

const SIZE = { width: 1250, height: 880 };

/** The data page of a passport (TD3), 125 by 88 mm at ten pixels a millimetre. */
export async function drawPassport(person: Person, options: DrawOptions): Promise<DrawnDocument> {
  const truth = truthOf(person, options);
  const right = passportLines(truth.machine);
  const mrz =
    options.alter?.kind === 'check-digit' ? withWrongCheckDigit(right, 'passport', options.alter.field) : right;
  const front = await print(
    SIZE,
    visualZone(truth.printed) + machineZone(mrz, { x: 62, y: 755, pitch: 25.4, leading: 64, size: 37 }),
    [
      { input: await portrait(face(options), 330, 430), left: 60, top: 130 },
      ...(await ghostAt(options, { left: 1070, top: 270, width: 140, height: 180 })),
    ],
  );
  return { front, truth: { ...truth, mrz } };
}

const visualZone = (printed: Person): string =>
  [
    '<rect width="100%" height="100%" fill="#efe6ee"/>',
    guilloche(SIZE.width, 650, ['#b58fb5', '#7fa7c9']),
    '<rect y="680" width="1250" height="200" fill="#f6f3ee"/>',
    text(60, 75, 'UTOPIA', { size: 40, bold: true, colour: '#773333' }),
    text(300, 73, 'PASSPORT / PASSEPORT', { size: 28, colour: '#773333' }),
    field(440, 120, 'Type / Type', 'P'),
    field(620, 120, 'Country code / Code du pays', printed.issuingState),
    field(930, 120, 'Passport No. / No. du passeport', printed.number),
    field(440, 200, 'Surname / Nom', printed.surname),
    field(440, 280, 'Given names / Prénoms', printed.givenNames.join(' ')),
    field(440, 360, 'Nationality / Nationalité', printed.nationality),
    field(440, 440, 'Date of birth / Date de naissance', wordDate(printed.birthDate)),
    field(860, 440, 'Sex / Sexe', printed.sex),
    field(440, 520, 'Date of issue / Date de délivrance', wordDate(printed.issueDate)),
    field(860, 520, 'Authority / Autorité', 'PASSPORT OFFICE'),
    field(440, 600, "Date of expiry / Date d'expiration", wordDate(printed.expiryDate)),
  ].join('');
