import { isSpelt, plain, type Spelling } from './letters.ts';
import { type Known, LABELS } from './words.ts';

const SEPARATOR = /[^\p{L}\p{M}\p{N}]+|(?<=\p{Ll})(?=\p{Lu}{2})/u;

/** How often a word of a line says a name: itself, or glued to labels and other expected names. */
const timesInWord = (word: string, name: string, spelling: Spelling, known: Known): number => {
  if (isSpelt(name, word, spelling)) return 1;
  const rest = spelling.same(word).split(spelling.same(name));
  const isOfNames = known(word) || rest.every((run) => run === '' || LABELS.has(run) || known(run));
  return isOfNames ? rest.length - 1 : 0;
};

/**
 * Counts the words that surname and given names have in common: print that shows such a word once
 * says one of the two names alone.
 */
export const sharedNames = (
  { surname, givenNames }: { surname: readonly string[]; givenNames: readonly string[] },
  spelling: Spelling,
  known: Known,
) => {
  const all = [...surname, ...givenNames];
  const shared = new Set(givenNames.filter((name) => surname.includes(name)));
  const left = new Map([...shared].map((name) => [name, all.filter((one) => one === name).length]));
  return {
    look: (text: string): void => {
      const words = left.size > 0 ? text.split(SEPARATOR).map(plain).filter(Boolean) : [];
      for (const [name, times] of left)
        left.set(
          name,
          words.reduce((rest, word) => rest - timesInWord(word, name, spelling, known), times),
        );
    },
    areAllSeen: (): boolean => [...left.values()].every((times) => times <= 0),
  };
};
