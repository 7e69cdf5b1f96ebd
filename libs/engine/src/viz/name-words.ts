import { isBegun, PARTLY, plain, type Spelling } from './letters.ts';
import { type Printed, type Search, type Sighting, sightingOf } from './sighting.ts';
import { hasFurtherWord } from './words.ts';

/** What a line has of each word of a name, by the places of the words in the name. */
type Seen = readonly (readonly [number, Sighting | undefined])[];

const timesIn = (all: readonly string[], word: string): number => all.filter((one) => one === word).length;

const wordsOfLine = ({ text }: Printed, { same }: Spelling): string[] =>
  text.split(/[^\p{L}\p{M}\p{N}]+/u).map((word) => same(plain(word)));

/**
 * Whole names of one line that stand in another order than expected. A name that comes twice may
 * stand at either of its places.
 */
const isInAnotherOrder = (line: Printed, names: readonly string[], spelling: Spelling): boolean => {
  const expected = names.map(spelling.same);
  const words = wordsOfLine(line, spelling);
  const named = words.filter((word, i) => timesIn(words.slice(0, i), word) < timesIn(expected, word));
  let from = 0;
  return !named.every((word) => {
    const place = expected.indexOf(word, from);
    from = place + 1;
    return place >= 0;
  });
};

/** Given names in another order are the same names, but not the same value. */
const inOrder = (
  seen: Sighting | undefined,
  line: Printed,
  names: readonly string[],
  spelling: Spelling,
): Sighting | undefined =>
  seen && seen.edits < PARTLY && isInAnotherOrder(line, names, spelling)
    ? { ...seen, edits: seen.edits + PARTLY }
    : seen;

/** All runs of two and more words, the longest first. */
const runsOf = (words: readonly string[]): { from: number; run: readonly string[] }[] =>
  words
    .flatMap((_, from) => words.slice(from + 1).map((_, n) => ({ from, run: words.slice(from, from + n + 2) })))
    .sort((a, b) => b.run.length - a.run.length);

/**
 * Printed words, in their order and side by side, that begin with these words of a name. A zone
 * that is too short may cut each word of a surname (9303-4, 4.2.3.2).
 */
const longerWords = (text: string, names: readonly string[], { spelling, known }: Search): string[] | undefined => {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
  const from = words.findIndex(
    ({ index }, at) =>
      names.every((name, i) => isBegun(name, plain(words[at + i]?.[0] ?? ''), spelling)) &&
      !hasFurtherWord(text.slice(0, index), '', known),
  );
  return from < 0 ? undefined : words.slice(from, from + names.length).map(([word]) => word);
};

const partly = (seen: readonly string[], from: number): Seen =>
  seen.map((word, i) => [from + i, { edits: PARTLY, seen: word }]);

/** The run of a name's words that a line says, if every word that it has is of that run. */
const runSeen = (
  line: Printed,
  words: readonly string[],
  single: readonly (Sighting | undefined)[],
  search: Search,
): Seen | undefined => {
  const here = words.filter((_, i) => (single[i]?.edits ?? 1) < 1);
  for (const { from, run } of runsOf(words)) {
    const seen = here.every((word) => run.includes(word)) && sightingOf(line, run.join(''), search);
    if (seen && seen.edits < 1)
      return run.map((word, i) => [from + i, { edits: seen.edits, seen: single[from + i]?.seen ?? word }]);
  }
  for (const { from, run } of search.mayGoOn ? runsOf(words) : []) {
    const longer = here.every((word) => run.includes(word)) ? longerWords(line.text, run, search) : undefined;
    if (longer) return partly(longer, from);
  }
  return new Set(here).size > 1 ? [] : undefined;
};

/**
 * A search for the words of a name, line by line. Those of surnames in one line stand in their
 * order and side by side: GARCIA above DE LA TORRE, but not LOPEZ GARCIA. A word that the name has
 * twice is seen at its second place when it was printed twice: GARCIA alone is not GARCIA GARCIA.
 */
export const createWordSearch = (words: readonly string[], areGivenNames: boolean) => {
  if (words.length < 2) return (): Seen => [];
  /** How often each word was printed in the lines so far. */
  const printed = new Map<string, number>();
  const count = (word: string, times: number): void => void printed.set(word, (printed.get(word) ?? 0) + times);
  return (line: Printed, search: Search): Seen => {
    const { same } = search.spelling;
    const single = words.map((word) => sightingOf(line, word, search));
    const run = areGivenNames ? undefined : runSeen(line, words, single, search);
    if (run) {
      for (const [place] of run) count(same(words[place]!), 1);
      return run;
    }
    const seenHere = new Set(words.filter((_, i) => (single[i]?.edits ?? 1) < 1).map(same));
    for (const word of seenHere) count(word, Math.max(1, timesIn(wordsOfLine(line, search.spelling), word)));
    const isPrinted = (place: number): boolean => {
      const before = timesIn(words.slice(0, place).map(same), same(words[place]!));
      return before === 0 || before < (printed.get(same(words[place]!)) ?? 0);
    };
    const found = single.flatMap((seen, i) =>
      isPrinted(i) ? [[i, areGivenNames ? inOrder(seen, line, words, search.spelling) : seen] as const] : [],
    );
    // ABDUL ABDUL stands for ABDULLAH ABDULRAHMAN.
    const longer = search.mayGoOn && found.length < words.length ? longerWords(line.text, words, search) : undefined;
    return longer ? partly(longer, 0) : found;
  };
};
