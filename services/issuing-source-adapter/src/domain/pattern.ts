/** A longer value is tried by no pattern: no number, name or line of a document is as long. */
export const LONGEST_TRIED = 64;
/** Trying so many ways takes no time that anybody notices. */
const MOST_WAYS = 1_000_000;

/** A part of an expression: where it ends, and in how many ways it can match within one value. */
interface Part {
  end: number;
  ways: number;
}

const GROUP_BEGINS = /^\?(?:<?[=!]|:|<[^>]*>)/;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/;

/** How often a quantifier has repeated what is before it. */
const repeatsOf = ([, sign, least = '', comma, most = '']: RegExpExecArray): { least: number; most: number } => {
  if (sign === '?') return { least: 0, most: 1 };
  if (sign !== undefined) return { least: sign === '+' ? 1 : 0, most: LONGEST_TRIED };
  const upTo = comma === undefined ? Number(least) : most === '' ? LONGEST_TRIED : Number(most);
  return { least: Math.min(LONGEST_TRIED, Number(least)), most: Math.min(LONGEST_TRIED, upTo) };
};

const endOfClass = (expression: string, start: number): number => {
  let at = start + 1;
  while (expression[at] !== ']') at += expression[at] === '\\' ? 2 : 1;
  return at + 1;
};

const single = (expression: string, start: number): Part => {
  const first = expression[start];
  if (first === '[') return { end: endOfClass(expression, start), ways: 1 };
  if (first !== '(') return { end: start + (first === '\\' ? 2 : 1), ways: 1 };
  const { end, ways } = alternatives(expression, start + 1);
  return { end: end + 1, ways };
};

const repeated = (expression: string, start: number): Part => {
  const { end, ways } = single(expression, start);
  const quantifier = QUANTIFIER.exec(expression.slice(end));
  if (!quantifier) return { end, ways };
  const { least, most } = repeatsOf(quantifier);
  return { end: end + quantifier[0].length, ways: (most - least + 1) * ways ** most };
};

const alternatives = (expression: string, start: number): Part => {
  let at = start + (GROUP_BEGINS.exec(expression.slice(start))?.[0].length ?? 0);
  let [before, branch] = [0, 1];
  while (at < expression.length && expression[at] !== ')') {
    if (expression[at] === '|') {
      [before, branch] = [before + branch, 1];
      at += 1;
      continue;
    }
    const part = repeated(expression, at);
    branch *= part.ways;
    at = part.end;
  }
  return { end: at, ways: before + branch };
};

/**
 * Whether an expression tries no value in so many ways that the process is kept from all else:
 * `(A+)+`, `A*A*A*A*` and a row of `A?` do. Counts the ways that there can be at most; the
 * expression has to be one.
 */
export const isQuickPattern = (expression: string): boolean => alternatives(expression, 0).ways <= MOST_WAYS;
