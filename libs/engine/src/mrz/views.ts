import { type Grey, levelFor, pyramid, type Quarter, resample, turned } from '../raster.ts';

/**
 * The page turned by each number of quarters, with what the search needs. Everything is made when
 * it is first used.
 */
export interface Views {
  page: Grey;
  levels: (quarters: Quarter) => readonly Grey[];
  /** A copy whose longest side has this length, and its pixels per page pixel. */
  work: (quarters: Quarter, side: number) => { image: Grey; scale: number };
}

const LARGEST_ENLARGEMENT = 2.5;

const remember = <Value>(make: (key: string) => Value): ((key: string) => Value) => {
  const known = new Map<string, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
};

export const viewsOf = (page: Grey): Views => {
  const turnedLevels = remember((quarters) => pyramid(turned(page, Number(quarters) as Quarter)));
  const upright = remember((side) => {
    const longest = Math.max(page.width, page.height);
    const scale = Math.min(LARGEST_ENLARGEMENT, Number(side) / longest);
    const levels = turnedLevels('0');
    const source = levels[levelFor(levels, longest, Number(side))]!;
    return { image: resample(source, Math.round(page.width * scale), Math.round(page.height * scale)), scale };
  });
  const work = remember((key) => {
    const [quarters, side] = key.split(' ') as [string, string];
    const { image, scale } = upright(side);
    return { image: turned(image, Number(quarters) as Quarter), scale };
  });
  return {
    page,
    levels: (quarters) => turnedLevels(String(quarters)),
    work: (quarters, side) => work(`${quarters} ${side}`),
  };
};
