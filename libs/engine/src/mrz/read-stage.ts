import { type Grey, levelFor, type Quarter } from '../raster.ts';
import { heightAt, middleOf, type Strip, stripOf } from '../strip.ts';
import { type Assembled, assemble } from './assemble.ts';
import { type Candidate, locate } from './locate.ts';
import type { ReadLine } from './read-line.ts';
import { type RecogniseLines, STRIP_HEIGHT, STRIP_WIDTH } from './recognise.ts';
import { asPrint, type PrintLine, refine, scaled } from './refine.ts';
import { likeliestFirst, sameLine, withPartners } from './select.ts';
import { siblingsOf } from './siblings.ts';
import type { Views } from './views.ts';

export interface Stage {
  quarters: Quarter;
  side: number;
  shear: number;
}

export interface StageResult {
  best?: Assembled & { rotation: 0 | 90 | 180 | 270; quarters: Quarter };
  /** Something that was read like a line of an MRZ, whether or not a zone was assembled from it. */
  sawPrint: boolean;
}

const MOST_REFINED = 24;
const MOST_READ = 7;
const MARGIN = 0.28;

const aspectFits = (line: PrintLine): boolean => {
  const aspect = line.length / line.height;
  return aspect > 17 && aspect < 82;
};

/**
 * Lines are refined on the level where letters are at least twelve pixels high. The result is in
 * page pixels.
 */
const refinedOn = (levels: () => readonly Grey[], work: Grey, scale: number, line: Candidate): PrintLine => {
  if (line.thickness >= 12 || scale >= 1) return scaled(refine(work, line), 1 / scale);
  const all = levels();
  const level = levelFor(all, line.thickness / scale, 12);
  const shrink = 1 / (1 << level);
  return scaled(refine(all[level]!, scaled(asPrint(line), shrink / scale)), 1 / shrink);
};

const refinedLines = (views: Views, { quarters, side, shear }: Stage): PrintLine[] => {
  const { image, scale } = views.work(quarters, side);
  const candidates: PrintLine[] = [];
  for (const candidate of locate(image, shear).slice(0, MOST_REFINED)) {
    const line = refinedOn(() => views.levels(quarters), image, scale, candidate);
    const twin = (other: PrintLine) =>
      sameLine(other, line, 0.5 * Math.min(other.height, line.height)) && line.length < 1.15 * other.length;
    if (aspectFits(line) && !candidates.some(twin)) candidates.push(line);
  }
  return candidates;
};

/** A strip, and where along the line (page pixels) it begins and ends. */
interface PlacedStrip {
  strip: Strip;
  left: number;
  right: number;
}

const stripFor = (levels: readonly Grey[], line: PrintLine): PlacedStrip => {
  const level = levelFor(levels, line.height, 20);
  const image = levels[level]!;
  const small = scaled(line, 1 / (1 << level));
  const margin = small.height * MARGIN;
  const left = Math.max(0, small.left - small.height * 0.9);
  const right = Math.min(image.width - 1, small.right + small.height * 0.9);
  const length = (right - left) * Math.sqrt(1 + small.slope * small.slope);
  const width = Math.round((length * STRIP_HEIGHT) / (small.height + 2 * margin));
  const strip = stripOf(image, { ...small, left, right }, small.top - margin, small.bottom + margin, {
    width: Math.max(8, Math.min(STRIP_WIDTH, width)),
    height: STRIP_HEIGHT,
    oversample: 2,
  });
  return { strip, left: left * (1 << level), right: right * (1 << level) };
};

const printedEnds = ({ left, right }: PlacedStrip, [a, b]: readonly [number, number], flip: 0 | 1) => {
  const at = (share: number) => left + share * (right - left);
  return flip ? ([at(1 - b), at(1 - a)] as const) : ([at(a), at(b)] as const);
};

/**
 * Lines beside the most MRZ-like ones, which the search missed, and those lines themselves if they
 * are not read yet.
 */
const lostLines = (levels: readonly Grey[], lines: readonly PrintLine[], read: readonly ReadLine[]): PrintLine[] => {
  const width = levels[0]!.width;
  const seeds = lines
    .filter((line) => line.length / line.height > 22 && line.length > 0.3 * width)
    .sort((a, b) => b.length - a.length)
    .slice(0, 3);
  const known = read.filter(({ confidence }) => confidence > 0.9).map(({ line }) => line);
  const found: PrintLine[] = [];
  for (const seed of seeds) {
    const level = levelFor(levels, seed.height, 12);
    const shrink = 1 / (1 << level);
    for (const sibling of siblingsOf(levels[level]!, scaled(seed, shrink)).map((line) => scaled(line, 1 / shrink)))
      if (
        ![...known, ...found].some(
          (l) => sameLine(l, sibling, 0.45 * sibling.height) && l.height < 1.5 * sibling.height,
        )
      )
        found.push(sibling);
  }
  if (!found.length) return [];
  return [...found, ...seeds.filter((seed) => !read.some(({ line }) => line === seed))].slice(0, MOST_READ);
};

const centreY = ({ line }: ReadLine): number => heightAt(line, middleOf(line));

const flipped = (strip: Strip): Strip => ({ ...strip, data: strip.data.slice().reverse() });

/**
 * Read from top to bottom. If the page is upside down, from bottom to top with the geometry
 * negated.
 */
const inOrder = (rows: readonly ReadLine[], upsideDown: boolean): ReadLine[] => {
  const sorted = [...rows].sort((a, b) => centreY(a) - centreY(b));
  if (!upsideDown) return sorted;
  return sorted
    .reverse()
    .map((row) => ({ ...row, line: { ...row.line, slope: -row.line.slope, offset: -row.line.offset } }));
};

export const isConclusive = (found: Assembled | undefined): boolean => {
  if (found === undefined) return false;
  const agreeing = Object.values(found.checks).filter(Boolean).length;
  return found.valid || (found.confidence > 0.985 && agreeing / Object.keys(found.checks).length >= 0.25);
};

export const isBetter = (a: Assembled, b: Assembled | undefined): boolean =>
  b === undefined || Number(a.valid) * 9 + a.rank > Number(b.valid) * 9 + b.rank;

/** Reads lines as strips. Each is cut from the page once, however often it is read. */
const readerOf = (levels: readonly Grey[], recognise: RecogniseLines) => {
  const cut = new Map<PrintLine, PlacedStrip>();
  const placedFor = (line: PrintLine): PlacedStrip => {
    const placed = cut.get(line) ?? stripFor(levels, line);
    cut.set(line, placed);
    return placed;
  };
  return async (lines: readonly PrintLine[], flip: 0 | 1): Promise<ReadLine[]> => {
    const placed = lines.map(placedFor);
    const strips = placed.map(({ strip }) => (flip ? flipped(strip) : strip));
    const texts = await recognise(strips);
    return texts.map((text, i) => ({
      ...text,
      line: lines[i]!,
      printed: printedEnds(placed[i]!, text.ends, flip),
      strip: strips[i]!,
    }));
  };
};

const isPlain = ({ confidence, text }: ReadLine): boolean => confidence > 0.97 && text.length > 26;

/**
 * Half the characters in a line of the shortest zone: upside down, print is misread but few
 * characters are lost.
 */
const FEWEST_CHARACTERS = 15;

/** The lines to read upside down too; none if a line was clearly right when upright. */
const worthTurning = (rows: readonly ReadLine[]): PrintLine[] =>
  rows.some(isPlain) ? [] : rows.filter(({ text }) => text.length >= FEWEST_CHARACTERS).map(({ line }) => line);

/**
 * Reads the lines of one orientation at one reduced size. The likeliest are read first, and all
 * upright before any upside down.
 */
export const readStage = async (views: Views, stage: Stage, recognise: RecogniseLines): Promise<StageResult> => {
  const lines = refinedLines(views, stage);
  const result: StageResult = { sawPrint: false };
  if (!lines.length) return result;
  const levels = views.levels(stage.quarters);
  const read = readerOf(levels, recognise);
  const readings: [ReadLine[], ReadLine[]] = [[], []];
  const take = async (some: readonly PrintLine[], flip: 0 | 1): Promise<void> => {
    if (!some.length) return;
    const rows = await read(some, flip);
    readings[flip].push(...rows);
    result.sawPrint ||= rows.some(({ text, confidence }) => confidence > 0.8 && text.length >= 24);
    const sure = inOrder(readings[flip], flip === 1).filter(({ confidence }) => confidence > 0.7);
    const found = assemble(sure.slice(0, 8));
    if (!found || !isBetter(found, result.best)) return;
    const rotation = ((stage.quarters * 90 + flip * 180) % 360) as 0 | 90 | 180 | 270;
    result.best = { ...found, rotation, quarters: stage.quarters };
  };
  const partners = withPartners(lines);
  if (partners.length >= 2) {
    const [likely, others] = likeliestFirst(partners);
    await take(likely, 0);
    if (result.best?.valid) return result;
    await take(others, 0);
    if (isConclusive(result.best)) return result;
    await take(worthTurning(readings[0]), 1);
    if (isConclusive(result.best)) return result;
  }
  const known = readings[0].length;
  const lost = lostLines(levels, lines, [...readings[0], ...readings[1]]);
  await take(lost, 0);
  if (isConclusive(result.best) || readings[0].some(isPlain)) return result;
  await take(worthTurning(readings[0].slice(known)), 1);
  return result;
};
