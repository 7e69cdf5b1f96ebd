import { fewestLetters, hiddenIn, isHidden, lettersOf, occurrenceOf, type Spelling, withUnread } from './letters.ts';
import type { TextLine } from './ocr.ts';
import { UNREAD } from './unread.ts';

/** A line of print as the search for values sees it. */
export type Printed = Pick<TextLine, 'text' | 'unread'>;

/** What of a line is most like a value. */
export interface Sighting {
  edits: number;
  seen: string;
}

/** What may stand glued to a value because the recogniser dropped the blank. */
const LABELS = new Set(
  `LN FN DLN DL NO NR NUM ID NAME NAMES SURNAME SURNAMES NOM NOMS PRENOM PRENOMS APELLIDO APELLIDOS NOMBRE NOMBRES GIVENNAME
  GIVENNAMES FIRSTNAME FIRSTNAMES LASTNAME FAMILYNAME VORNAME VORNAMEN NACHNAME COGNOME NOME NUMBER NUMERO DOCUMENTNO
  PASSPORTNO LICENCENO LICENSENO CARDNO CARDNUMBER LICENCENUMBER LICNO MR MRS MS MISS DR 1 2 4D 4DDLN 4DLN 1LN 2FN 5 DD`.split(
    /\s+/,
  ),
);

const glued = (text: string, from: number, step: 1 | -1): string => {
  let run = '';
  for (let i = from; i >= 0 && i < text.length && /[\p{L}\p{N}]/u.test(text[i]!); i += step) {
    // A change of case ends a label: SurnameSPECIMEN.
    const inner = text[i - step]!;
    if (step === -1 && /\p{Ll}/u.test(text[i]!) && /[\p{Lu}\p{N}]/u.test(inner)) break;
    run = step === 1 ? run + text[i]! : text[i]! + run;
  }
  return lettersOf(run, false).letters.replaceAll(UNREAD, '');
};

/** Whether letters are another expected value. */
export type Known = (run: string) => boolean;

/**
 * Letters that touch the value without being a label or another expected value: then it is another,
 * longer value.
 */
const gluedEdits = (text: string, from: number, to: number, known: Known): number =>
  [glued(text, from - 1, -1), glued(text, to + 1, 1)]
    .filter((run) => run !== '' && !LABELS.has(run) && !known(run))
    .reduce((sum, run) => sum + run.length, 0);

interface Search {
  spelling: Spelling;
  known: Known;
  mayGoOn: boolean;
}

const bestIn = (text: string, wanted: string, search: Search, hidden: readonly boolean[]): Sighting | undefined => {
  const { same, single } = search.spelling;
  let best: Sighting | undefined;
  const chars = Array.from(text);
  const target = same(wanted);
  const fewest = fewestLetters(target, single) - Math.max(2, target.length >> 2);
  for (const double of [false, true]) {
    const folded = lettersOf(text, double);
    if (folded.letters.length < fewest) continue;
    const { edits, from, to } = occurrenceOf(
      target,
      same(folded.letters),
      single,
      folded.at.map((at) => hidden[at] === true),
    );
    if (to <= from) continue;
    const first = folded.at[from]!;
    const last = folded.at[to - 1]!;
    const extra = gluedEdits(text, first, search.mayGoOn ? chars.length : last, search.known);
    const seen = chars.slice(first, last + 1).join('');
    const found = { edits: edits + extra, seen: seen.replaceAll(UNREAD, '') };
    if (!best || found.edits < best.edits) best = found;
  }
  return best;
};

/** A value half of which was not read was not seen. */
const isEnough = ({ edits }: Sighting, wanted: string): boolean => hiddenIn(edits) * 2 <= wanted.length;

/** The print in a line that is most like a value, by edits and letters that were not read. */
export const sightingOf = ({ text, unread }: Printed, wanted: string, search: Search): Sighting | undefined => {
  const asRead = bestIn(text, wanted, search, []);
  if (!unread || !search.spelling.unknown) return asRead;
  const { text: whole, hidden } = withUnread(text, unread);
  const asPrinted = bestIn(whole, wanted, search, hidden);
  if (!asPrinted || !isHidden(asPrinted.edits)) return asRead;
  return asRead?.edits === 0 || isEnough(asPrinted, wanted) ? asPrinted : asRead;
};
