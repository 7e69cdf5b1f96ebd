import type { SideRead } from './further.ts';
import { labelAbove, rowsBelow } from './label-places.ts';
import { labelKeyOf, labelledValues } from './labels.ts';
import { agrees, type ExpectedValues, matcherFor, type NameField, wordsOf } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';
import { inOtherScript } from './other-script.ts';
import type { PlacedLine } from './placed-line.ts';
import { hasFurtherWord } from './words.ts';

/** What the fields of names say beside the names that were seen. */
interface OwnFields {
  read: Map<TextBox, TextLine>;
  /** Names that print contradicts, or says with further words, where it has their fields. */
  doubts: [NameField, 'near' | 'partly'][];
}

/** In heights of a line: how far apart the parts of one value stand. */
const APART = { beside: 2, below: 1.25 };
/** In heights: given names stand so near below the surname, or behind it in its row. */
const NEXT = { below: 6, aside: 4, behind: 12 };
const SURE = 0.9;
/** A page of nothing but print costs no more. */
const MOST = 60;
const OF_NAMES: readonly (string | undefined)[] = ['surname', 'givenNames', 'fullname', undefined];

const isAsHigh = (one: TextBox, other: TextBox): boolean => Math.abs(Math.log(one.height / other.height)) < 0.25;

/** Another part of the same value: behind it in its row, or right below it, in the same size. */
const goesOn = (value: TextBox, box: TextBox): boolean => {
  if (box === value || !isAsHigh(value, box)) return false;
  const [down, gap] = [rowsBelow(value, box) / value.height, (box.left - value.right) / value.height];
  if (Math.abs(down) < 0.3) return gap > -0.5 && gap < APART.beside;
  return down > 0.6 && down < APART.below && Math.abs(box.left - value.left) < 0.6 * value.height;
};

const isNext = (surname: TextBox, given: TextBox): boolean => {
  const { height } = surname;
  const [down, right] = [rowsBelow(surname, given) / height, (given.left - surname.left) / height];
  if (Math.abs(down) < 0.5) return right >= 0 && given.left - surname.right < NEXT.behind * height;
  return down > 0 && down < NEXT.below && Math.abs(right) < NEXT.aside;
};

/** How a line agrees with the names alone. */
const namesIn = (line: Pick<TextLine, 'text' | 'unread'>, expected: ExpectedValues) => {
  const { surname, givenNames, nameSuffix, nameTruncated, transliterated, issuingState } = expected;
  const matcher = matcherFor({
    ...(surname && { surname }),
    ...(givenNames && { givenNames }),
    ...(nameSuffix && { nameSuffix }),
    ...(nameTruncated !== undefined && { nameTruncated }),
    ...(transliterated && { transliterated }),
    ...(issuingState && { issuingState }),
  });
  matcher.look(line);
  return matcher.result();
};

/** Whether a line says one word of a name. */
const saysWord = (line: Pick<TextLine, 'text' | 'unread'>, word: string, { transliterated }: ExpectedValues): boolean =>
  agrees(namesIn(line, { surname: word, ...(transliterated && { transliterated }) }).surname?.match);

/** Labels have small letters, or are known; small ones that are hardly read may say anything. */
const isFurther = (line: TextLine, value: TextLine, expected: ExpectedValues): boolean => {
  const { surname, givenNames } = wordsOf(expected);
  const words = [...surname, ...givenNames];
  const isKnown = Object.values(namesIn(line, expected)).some(({ match }) => match !== 'absent');
  const isName = /^\P{N}+$/u.test(line.text) && (!/\p{Ll}/u.test(line.text) || /\p{Ll}/u.test(value.text));
  const isOther = inOtherScript(words, expected.issuingState);
  return (
    isName &&
    line.confidence > SURE &&
    !isKnown &&
    labelKeyOf(line.text) === undefined &&
    hasFurtherWord(
      line.text,
      '',
      (run) => isOther(run) || words.some((word) => saysWord({ text: run }, word, expected)),
    )
  );
};

/** What print says behind the labels of the names, on this side or another one. */
const saidNames = (
  read: ReadonlyMap<TextBox, TextLine>,
  others: readonly PlacedLine[],
): Partial<Record<NameField, string>> => {
  const here = [...read].map(
    ([box, { text, confidence }]): PlacedLine => ({ ...box, side: 'FRONT', text, confidence }),
  );
  const [own, elsewhere] = [labelledValues(here, undefined), labelledValues(others, undefined)];
  const surname = own.surname ?? elsewhere.surname;
  const givenNames = (own.givenNames ?? elsewhere.givenNames)?.join(' ');
  return { ...(surname && { surname }), ...(givenNames && { givenNames }) };
};

/**
 * Where a name was seen: in one line, or each of its words in a line of its own. A word may be in
 * other lines as well: DE, or a surname that is also the place of birth. So the lines with most of
 * the name come first, then those right above or below another one.
 */
const boxesOf = (field: NameField, { boxes, read }: Omit<SideRead, 'page'>, expected: ExpectedValues): TextBox[] => {
  const lines = boxes.filter((box) => read.has(box));
  const saysAll = (box: TextBox, names: ExpectedValues) => namesIn(read.get(box)!, names)[field]?.match === 'exact';
  // A given name that is the surname, too, stands in a line of its own.
  const { surname: _, ...given } = expected;
  const other = lines.find((box) => namesIn(read.get(box)!, expected).surname?.match === 'exact');
  const whole =
    lines.find((box) => saysAll(box, expected)) ??
    (field === 'givenNames' ? lines.find((box) => box !== other && saysAll(box, given)) : undefined);
  if (whole) return [whole];
  const words = wordsOf(expected)[field];
  if (words.length < 2) return [];
  const parts = lines
    .map((box) => ({ box, said: words.filter((word) => saysWord(read.get(box)!, word, expected)) }))
    .filter(({ said }) => said.length > 0);
  const isBeside = (box: TextBox) => parts.some((part) => goesOn(part.box, box) || goesOn(box, part.box));
  const likeliest = parts
    .map((part) => ({ ...part, rank: part.said.length + (isBeside(part.box) ? 0.5 : 0) }))
    .sort((a, b) => b.rank - a.rank);
  const apart = words.flatMap((word) => likeliest.find(({ said }) => said.includes(word))?.box ?? []);
  return [...new Set(apart)].sort((a, b) => a.y - b.y);
};

const haveSameWord = (expected: ExpectedValues): boolean => {
  const { surname, givenNames } = wordsOf(expected);
  return givenNames.some((name) => surname.includes(name));
};

const isOneValue = (boxes: readonly TextBox[]): boolean =>
  boxes.every((box, i) => i === 0 || goesOn(boxes[i - 1]!, box));

/** Whether what stands behind the label of a name is the name, or the first lines of it. */
const isSaid = (said: string, field: NameField, boxes: readonly TextBox[], expected: ExpectedValues): boolean => {
  if (agrees(namesIn({ text: said }, expected)[field]?.match)) return true;
  const isWord = (text: string) => wordsOf(expected)[field].some((word) => saysWord({ text }, word, expected));
  return boxes.length > 1 && isOneValue(boxes) && said.split(/[ -]+/).every(isWord);
};

/**
 * Looks at the fields of names that were seen. A further word that belongs to the same value makes
 * another name. And where the surname does not stand next to the given names, as it mostly does, it
 * may be the place of birth or the authority that was seen, of either or of a word of it: then the
 * whole side is read, and the labels of the names decide. `others`: the lines of the sides before.
 */
export const readOwnFields = async (
  { page, boxes, read: seen }: SideRead,
  expected: ExpectedValues,
  ocr: Ocr,
  others: readonly PlacedLine[],
): Promise<OwnFields> => {
  const read = new Map(seen);
  const doubts: OwnFields['doubts'] = [];
  const places = (['surname', 'givenNames'] as const).map((field) => ({
    field,
    at: boxesOf(field, { boxes, read }, expected),
  }));
  for (const { field, at } of places)
    for (const value of at)
      for (const box of boxes.filter((one) => goesOn(value, one))) {
        if (!read.has(box)) read.set(box, await ocr.read(page, box));
        if (isFurther(read.get(box)!, read.get(value)!, expected)) doubts.push([field, 'partly']);
      }
  const [surname, givenNames] = places.map(({ at }) => (isOneValue(at) ? at[0] : undefined));
  const isAnywhere = places.some(({ at }) => at.length > 0);
  if (!isAnywhere || (surname && givenNames && isNext(surname, givenNames))) return { read, doubts };
  for (const box of boxes.slice(0, MOST)) if (!read.has(box)) read.set(box, await ocr.read(page, box));
  const said = saidNames(read, others);
  const isOfName = (box: TextBox): boolean => {
    const label = labelAbove(box, boxes);
    return OF_NAMES.includes(label && labelKeyOf(read.get(label)?.text ?? ''));
  };
  for (const { field, at } of places) {
    const name = said[field];
    // What the surname's line says is no given name, too.
    const isAlike = field === 'givenNames' && at.length === 0 && haveSameWord(expected);
    if ((at.length > 0 || isAlike) && name !== undefined && !isSaid(name, field, at, expected))
      doubts.push([field, !isAlike && at.every(isOfName) ? 'partly' : 'near']);
  }
  return { read, doubts };
};
