import { datesIn } from './dates.ts';
import { type Key, LABELS } from './label-words.ts';
import { fold } from './letters.ts';
import type { PlacedLine } from './placed-line.ts';

/** Values found by the labels printed beside or above them. Upper case, dates ISO. */
export interface LabelledValues {
  surname?: string;
  givenNames?: string[];
  documentNumber?: string;
  cardNumber?: string;
  birthDate?: string;
  expiryDate?: string;
  issuingDate?: string;
  sex?: 'M' | 'F' | 'X';
  birthPlace?: string;
  authority?: string;
  address?: { streetLines: string[]; city?: string; state?: string; postcode?: string };
}

interface Label {
  key: Key;
  line: PlacedLine;
  /** What follows the label on its own line. */
  rest: string;
}

/**
 * The label a text begins with, if any; `rest` keeps the blanks. `whole`: the label ends where a
 * word does.
 */
const labelIn = (text: string): { key: Key; rest: string; whole: boolean } | undefined => {
  const positions: number[] = [];
  let bare = '';
  Array.from(text).forEach((char, i) => {
    if (!/[A-Z0-9]/.test(char)) return;
    bare += char;
    positions.push(i);
  });
  for (const [key, pattern] of LABELS) {
    const match = pattern.exec(bare);
    if (!match || match[0] === '') continue;
    const end = positions[match[0].length];
    const last = positions[match[0].length - 1] ?? 0;
    const whole = end === undefined || end > last + 1;
    return { key, rest: end === undefined ? '' : text.slice(end).trim(), whole };
  }
  return undefined;
};

/** A stroke that stands alone may be read as a letter: Authority l Autorité. */
const BETWEEN_LANGUAGES = /^(?:[LI1!](?=\s)|[\s/|:.,;()-])+/;
/** A stroke, alone or before a capital: Authority lAutorité. */
const STROKE = /[/|]|\p{L}\s+[lI1!](?:\s+\p{L}|$)|\p{Ll}\s+[l!]\p{Lu}/u;

/** What follows a label, without the same label in a second language: Surname / Nom. */
const withoutSecondLanguage = (key: Key, rest: string): string => {
  const again = labelIn(rest.replace(BETWEEN_LANGUAGES, ''));
  return again?.key === key && again.whole ? withoutSecondLanguage(key, again.rest) : rest;
};

/** What the label is about that a line begins with, if any. */
export const labelKeyOf = (text: string): Key | undefined => labelIn(fold(text))?.key;

/** Whether a text is a label, in one language or more, and nothing else. */
export const isLabel = (text: string): boolean => {
  const label = labelIn(fold(text));
  return label !== undefined && !/[A-Z0-9]/.test(withoutSecondLanguage(label.key, label.rest));
};

/** Labels of values that no machine-readable part has. */
const FURTHER: ReadonlySet<Key> = new Set(['birthPlace', 'authority']);

/** The line is such a label, or that of an address. */
export const isFurtherLabel = (text: string): boolean => {
  const key = labelIn(fold(text))?.key;
  return key !== undefined && (FURTHER.has(key) || key === 'address');
};

/** The label a line begins with, if any. */
const labelOf = (line: PlacedLine): Label | undefined => {
  const found = labelIn(fold(line.text));
  if (!found) return undefined;
  const { key, rest } = found;
  // What follows a stroke says the same in another language, perhaps cut off.
  const behindStroke = FURTHER.has(key) && STROKE.test(line.text);
  return { key, line, rest: behindStroke ? '' : withoutSecondLanguage(key, rest) };
};

/**
 * How far a line is below a label's row. The page may lie aslant, and the middle of a long value be
 * far to the right.
 */
const rowsBelow = (label: PlacedLine, line: PlacedLine): number =>
  line.y - label.y - (line.slope ?? 0) * (line.x - label.x);

const below = (label: PlacedLine, line: PlacedLine): boolean => {
  const gap = rowsBelow(label, line);
  const unit = Math.max(label.height, line.height);
  return gap > 0.4 * unit && gap < 2.6 * unit && Math.abs(line.left - label.left) < 2 * unit;
};

const beside = (label: PlacedLine, line: PlacedLine): boolean => {
  const unit = Math.max(label.height, line.height);
  return Math.abs(rowsBelow(label, line)) < 0.6 * unit && line.left > label.x && line.left - label.right < 6 * unit;
};

/** Texts that may be a label's value, nearest first. */
const candidates = ({ line, rest }: Label, values: readonly PlacedLine[]): string[] => {
  const distance = (other: PlacedLine) => Math.hypot(other.left - line.left, other.y - line.y);
  const near = values
    .filter((other) => below(line, other) || beside(line, other))
    .sort((a, b) => distance(a) - distance(b))
    .map(({ text }) => fold(text).trim());
  return rest ? [rest, ...near] : near;
};

const two = (n: number): string => String(n).padStart(2, '0');

/**
 * The one date a text can mean; none when day and month can be exchanged and the country does not
 * say how to read it.
 */
const dateIn = (text: string, monthFirst: boolean | undefined): string | undefined => {
  const readings = datesIn(text).filter(({ fullYear }) => fullYear);
  const dates = [...new Set(readings.map(({ year, month, day }) => `${year}-${two(month)}-${two(day)}`))];
  if (dates.length <= 1) return dates[0];
  if (monthFirst === undefined) return undefined;
  const [a] = /\d{1,2}/.exec(text) ?? [];
  return dates.find((date) => Number(a) === Number(monthFirst ? date.slice(5, 7) : date.slice(8)));
};

const NAME = /^[\p{L}][\p{L} '.-]*$/u;
const PLACE_NAME = /^\p{L}[\p{L}\d '.,()/-]*$/u;
const NUMBER = /^(?=.*\d)[A-Z0-9][A-Z0-9 -]{3,22}$/;
const firstFit = (texts: readonly string[], pattern: RegExp): string | undefined =>
  texts.find((text) => pattern.test(text));

const PLACE = /^(.*?)[ ,]*\b(NSW|VIC|QLD|WA|SA|TAS|ACT|NT|[A-Z]{2})[ ,]*(\d{4,5}(?:-\d{4})?)$/;

const addressOf = (lines: readonly string[]): LabelledValues['address'] => {
  const parts = lines.flatMap((line) => line.split(/,(?=.*,)/)).map((part) => part.replace(/^[, ]+|[, ]+$/g, ''));
  const end = parts.findIndex((part) => PLACE.test(part));
  if (end < 0) return parts.length ? { streetLines: parts.slice(0, 2) } : undefined;
  const [, city, state, postcode] = PLACE.exec(parts[end]!)!;
  const street = parts.slice(0, end);
  return {
    streetLines: street,
    ...(city && { city: city.replace(/,/g, '').trim() }),
    state: state!,
    postcode: postcode!,
  };
};

/** Lines of an address or a name: the first below the label, and those that follow it closely. */
const closeLines = (label: Label, values: readonly PlacedLine[]): string[] => {
  const lines = label.rest ? [label.rest] : [];
  let last = label.line;
  for (const value of [...values].sort((a, b) => a.y - b.y)) {
    if (lines.length < 3 && below(last, value)) {
      lines.push(fold(value.text).trim());
      last = value;
    }
  }
  return lines;
};

/**
 * A surname with a comma behind it and the given names below it, as Canadian licences have them.
 */
const namesAroundComma = ([first = '', second = '']: readonly string[]) => {
  const surname = first.replace(/,$/, '');
  if (surname === first || !NAME.test(surname)) return undefined;
  return { surname, given: NAME.test(second) ? second.split(/ +/) : [] };
};

/**
 * Reads a side by its labels. `monthFirst` says how the issuer writes dates in figures; without it,
 * dates that can be read in two ways are left out.
 */
export const labelledValues = (lines: readonly PlacedLine[], monthFirst: boolean | undefined): LabelledValues => {
  const labels = lines.flatMap((line) => labelOf(line) ?? []);
  const named = new Set(labels.map(({ line }) => line));
  const values = lines.filter((line) => !named.has(line));
  const textsOf = (key: Key) => labels.filter((label) => label.key === key).map((label) => candidates(label, values));
  const fit = (key: Key, pattern: RegExp) =>
    textsOf(key)
      .map((texts) => firstFit(texts, pattern))
      .find(Boolean);
  const date = (key: Key) =>
    textsOf(key)
      .flat()
      .map((text) => dateIn(text, monthFirst))
      .find(Boolean);

  const out: LabelledValues = {};
  const full = fit('fullname', NAME)?.split(/ +/);
  const whole = labels.find(({ key }) => key === 'fullname');
  const apart = whole && namesAroundComma(closeLines(whole, values));
  const labelled = apart?.surname ?? fit('surname', NAME);
  const surname = labelled ?? full?.at(-1);
  // Beside a surname of its own, what is called the name is the given ones: COGNOME and NOME.
  const given = apart?.given ?? fit('givenNames', NAME)?.split(/ +/) ?? (labelled ? full : full?.slice(0, -1));
  const sex = textsOf('sex')
    .flat()
    .map((text) => /^([MFX])(?:\b|$)/.exec(text)?.[1])
    .find(Boolean);
  const number = fit('documentNumber', NUMBER);
  const card = fit('cardNumber', NUMBER);
  const home = labels.find(({ key }) => key === 'address');
  if (surname) out.surname = surname;
  if (given?.length) out.givenNames = given;
  if (number) out.documentNumber = number.replace(/ /g, '');
  if (card) out.cardNumber = card.replace(/ /g, '');
  for (const key of ['birthDate', 'expiryDate', 'issuingDate'] as const) {
    const value = date(key);
    if (value) out[key] = value;
  }
  const birthPlace = fit('birthPlace', PLACE_NAME);
  const authority = fit('authority', PLACE_NAME);
  if (birthPlace) out.birthPlace = birthPlace;
  if (authority) out.authority = authority;
  if (sex) out.sex = sex as 'M' | 'F' | 'X';
  const address = home && addressOf(closeLines(home, values));
  if (address) out.address = address;
  return out;
};
