import {
  fewestLetters,
  HIDDEN,
  hiddenIn,
  isHidden,
  lettersOf,
  occurrencesOf,
  PARTLY,
  type Spelling,
  withUnread,
} from './letters.ts';
import type { TextLine } from './ocr.ts';
import { UNREAD } from './unread.ts';
import { hasFurtherWord, type Known, LABELS } from './words.ts';

/** A line of print as the search for values sees it. */
export type Printed = Pick<TextLine, 'text' | 'unread'>;

/** What of a line is most like a value. */
export interface Sighting {
  edits: number;
  seen: string;
}

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

const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** The number of a field is no label where it touches a digit: 1 before 234 makes 1234. */
const isLabelOf = (run: string, neighbour = ''): boolean => LABELS.has(run) && !(isDigits(run) && isDigits(neighbour));

/**
 * Letters that touch the value without being a label or another expected value: then it is another,
 * longer value.
 */
const gluedEdits = (text: string, from: number, to: number, known: Known): number =>
  [
    { run: glued(text, from - 1, -1), neighbour: text[from] },
    { run: glued(text, to + 1, 1), neighbour: text[to] },
  ]
    .filter(({ run, neighbour }) => run !== '' && !isLabelOf(run, neighbour) && !known(run))
    .reduce((sum, { run }) => sum + run.length, 0);

/** Letters that were not read and touch the value may belong to it: one at each end is enough. */
const unreadBeside = (chars: readonly string[], from: number, to: number): number =>
  [chars[from - 1], chars[to + 1]].filter((char) => char === UNREAD).length * HIDDEN;

/** How a value is looked for in a line. */
export interface Search {
  spelling: Spelling;
  known: Known;
  mayGoOn: boolean;
  /** The value is a name: another whole word beside it belongs to a longer one. */
  isName: boolean;
}

const bestIn = (text: string, wanted: string, search: Search, hidden: readonly boolean[]): Sighting | undefined => {
  const { same, single } = search.spelling;
  const chars = Array.from(text);
  const target = same(wanted);
  const fewest = fewestLetters(target, single) - Math.max(2, target.length >> 2);
  const found = [false, true].flatMap((double): Sighting[] => {
    const folded = lettersOf(text, double);
    if (folded.letters.length < fewest) return [];
    const isHere = folded.at.map((at) => hidden[at] === true);
    return occurrencesOf(target, same(folded.letters), single, isHere)
      .filter(({ from, to }) => to > from)
      .map(({ edits, from, to }) => {
        const first = folded.at[from]!;
        const last = folded.at[to - 1]!;
        const end = search.mayGoOn ? chars.length : last;
        const extra = gluedEdits(text, first, end, search.known) + unreadBeside(chars, first, end);
        const [before, behind] = [chars.slice(0, first).join(''), chars.slice(end + 1).join('')];
        const isLonger = search.isName && edits + extra < 1 && hasFurtherWord(before, behind, search.known);
        const seen = chars
          .slice(first, last + 1)
          .join('')
          .replaceAll(UNREAD, '');
        return { edits: edits + extra + (isLonger ? PARTLY : 0), seen };
      });
  });
  const isBetter = (one: Sighting, best: Sighting) =>
    one.edits < best.edits || (one.edits === best.edits && one.seen.length > best.seen.length);
  return found.reduce<Sighting | undefined>((best, one) => (best && !isBetter(one, best) ? best : one), undefined);
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

/** Words before a surname that lists and some cards write behind it. */
const PARTICLES = new Set(
  `A AF AL AV BIN D DA DAL DE DEL DELA DELLA DEN DER DES DI DO DOS DU EL HET IN LA LAS LE LES LO LOS OP T TE TEN TER TOT VAN
  VANDE VANDEN VANDER VOM VON VOOR Y ZU ZUM ZUR`.split(/\s+/),
);

/** "Berg, van der" has the words of VAN DER BERG: the same name, in another order. */
export const turnedSighting = (line: Printed, words: readonly string[], search: Search): Sighting | undefined => {
  const first = words.findIndex((word) => !PARTICLES.has(word));
  if (first < 1) return undefined;
  const turned = [...words.slice(first), ...words.slice(0, first)].join('');
  const seen = sightingOf(line, turned, search);
  return seen && seen.edits < PARTLY ? { ...seen, edits: seen.edits + PARTLY } : undefined;
};

/** The best sighting of a value: of all of it, or of its words in lines of their own. */
export const bestOfParts = (seen: ReadonlyMap<string, Sighting>, words: number): Sighting | undefined => {
  const all = seen.get('all');
  if (all?.edits === 0 || words < 2) return all;
  const single = Array.from({ length: words }, (_, i) => seen.get(String(i)));
  const worst = Math.max(...single.map((one) => one?.edits ?? 1));
  const isApart = worst < 1 && worst < (all?.edits ?? 1);
  return isApart ? { edits: worst, seen: single.map((one) => one!.seen).join(' ') } : all;
};
