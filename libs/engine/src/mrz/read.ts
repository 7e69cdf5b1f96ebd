import type { Page } from '../image.ts';
import { processorTime } from '../processor-time.ts';
import { heightAt } from '../strip.ts';
import type { MrzChecks } from './checks.ts';
import { fieldsOf, type MrzFields } from './fields.ts';
import { LAYOUTS, type MrzFormat } from './formats.ts';
import { isBetter, isConclusive, readStage, type Stage, type StageResult } from './read-stage.ts';
import type { RecogniseLines } from './recognise.ts';
import type { PrintLine } from './refine.ts';
import { certainOf, unreadInNames } from './unread.ts';
import { viewsOf } from './views.ts';

interface Point {
  x: number;
  y: number;
}

/** One machine-readable zone that was read from a page. */
export interface MrzReading {
  format: MrzFormat;
  lines: string[];
  fields: MrzFields;
  /**
   * Without those that depend on a character which was not surely read, if they do not all agree.
   */
  checks: MrzChecks;
  /** How many characters were not surely read; only if the check digits do not all agree. */
  unread?: number;
  /**
   * How many characters of the line with the names were not surely read; only if the check digits
   * agree, which do not cover them.
   */
  namesUnread?: number;
  /** Every check digit agrees and the lines can be an MRZ. */
  valid: boolean;
  /**
   * One character was replaced by another that the network had considered, so that the check digits
   * agree.
   */
  repaired: boolean;
  /** The same, so that a state or nationality is on the ICAO list. */
  stateReplaced: boolean;
  unlistedStates: string[];
  /** Mean probability of the characters, 0..1. */
  confidence: number;
  /** Pixels per character on the page. Below 7, names are not reliable; below 5, nothing is. */
  pitch: number;
  /** By how many degrees to turn the page clockwise so that the zone is upright. */
  rotation: 0 | 90 | 180 | 270;
  /** Slope of the upright lines, in degrees. */
  tilt: number;
  /**
   * The corners of the block on the page as it was sent: the zone's own top left, top right, bottom
   * right, bottom left.
   */
  quad: [Point, Point, Point, Point];
  /** How far the ends of the lines differ, in characters: printed lines begin and end together. */
  misalignment: number;
  /**
   * The two keystone angles measured from the lines, in degrees; absent if the ends of the print
   * are unknown.
   */
  keystone?: { vertical: number; horizontal: number };
  /** Which search stage found it, from 1. */
  stage: number;
}

/** Below this many pixels a character, nothing is reported as read. */
const UNREADABLE_BELOW = 5;

const PLAN: readonly Stage[] = [
  { quarters: 0, side: 640, shear: 0 },
  { quarters: 1, side: 640, shear: 0 },
  { quarters: 0, side: 1000, shear: 0 },
  { quarters: 1, side: 1000, shear: 0 },
  { quarters: 0, side: 640, shear: 0.18 },
  { quarters: 0, side: 640, shear: -0.18 },
  { quarters: 0, side: 640, shear: 0.34 },
  { quarters: 0, side: 640, shear: -0.34 },
];
/** The two cheapest stages, which find nearly everything there is to find. */
const QUICK = 2;
const isSearched = (search: MrzOptions['search'], stage: number): boolean => {
  if (search === 'all') return true;
  if (search === 'rest') return stage >= QUICK;
  return stage < (search === 'quick' ? QUICK : 1);
};
/**
 * The stages from this one on are for tilted zones. They run only if an earlier stage saw print
 * like an MRZ.
 */
const TILTED_FROM = 4;
/**
 * The processor time after which no further stage begins, so that a strange page takes limited
 * time.
 */
const BUDGET_MS = 1500;

const endsOf = (line: PrintLine, margin: number): [Point, Point] => {
  const cos = Math.sqrt(1 + line.slope * line.slope);
  const offset = line.offset + margin * cos;
  return [
    { x: line.left, y: line.slope * line.left + offset },
    { x: line.right, y: line.slope * line.right + offset },
  ];
};

const quadOf = (found: NonNullable<StageResult['best']>, page: Page): MrzReading['quad'] => {
  const upsideDown = found.rotation >= 180;
  // Lines read upside down carry negated geometry; the search image's own is the negation of that.
  const lines = found.source.map((line) => (upsideDown ? { ...line, slope: -line.slope, offset: -line.offset } : line));
  const sorted = [...lines].sort((a, b) => heightAt(a, a.left) - heightAt(b, b.left));
  const [a, b] = endsOf(sorted[0]!, sorted[0]!.top);
  const [d, c] = endsOf(sorted.at(-1)!, sorted.at(-1)!.bottom);
  const onPage = ({ x, y }: Point): Point => (found.quarters === 1 ? { x: y, y: page.height - 1 - x } : { x, y });
  return (upsideDown ? [c, d, a, b] : [a, b, c, d]).map(onPage) as MrzReading['quad'];
};

const degrees = (tangent: number): number => (Math.atan(tangent) * 180) / Math.PI;

/** No zone can be read at a larger angle; then one end of a line was found wrongly. */
const STEEPEST = 30;

const keystoneOf = (
  { source, endsKnown }: NonNullable<StageResult['best']>,
  height: number,
): MrzReading['keystone'] => {
  const first = source[0]!;
  const last = source.at(-1)!;
  const x = (first.left + first.right) / 2;
  const spacing = heightAt(last, x) - heightAt(first, x);
  const vertical = degrees((last.length - first.length) / 2 / spacing);
  if (!endsKnown || !(Math.abs(vertical) < STEEPEST)) return undefined;
  return {
    vertical,
    horizontal: degrees(((last.slope - first.slope) / spacing) * height),
  };
};

const misalignmentOf = (source: readonly PrintLine[]): number => {
  const first = source[0]!;
  return Math.max(
    ...source.map((line) => {
      // The ends of lower lines are shifted sideways by the slope.
      const shift = (heightAt(line, line.left) - heightAt(first, first.left)) * -first.slope;
      return Math.max(Math.abs(line.left - first.left - shift), Math.abs(line.right - first.right - shift));
    }),
  );
};

const readingOf = (found: NonNullable<StageResult['best']>, page: Page, today: string, stage: number): MrzReading => {
  const { format, lines, valid, repaired, stateReplaced, unlistedStates, confidence, rotation, source } = found;
  const slope = source.reduce((sum, line) => sum + line.slope, 0) / source.length;
  const length = source.reduce((sum, line) => sum + line.length, 0) / source.length;
  const keystone = keystoneOf(found, rotation % 180 ? page.width : page.height);
  return {
    format,
    lines,
    ...(valid ? { checks: found.checks, namesUnread: unreadInNames(found) } : certainOf(found)),
    valid,
    repaired,
    stateReplaced,
    unlistedStates,
    confidence,
    rotation,
    stage,
    fields: fieldsOf(format, lines, today),
    pitch: (length * Math.sqrt(1 + slope * slope)) / LAYOUTS[format].length,
    tilt: degrees(slope),
    misalignment: misalignmentOf(source) / (length / LAYOUTS[format].length),
    quad: quadOf(found, page),
    ...(keystone && { keystone }),
  };
};

/**
 * A zone that is not valid is reported only if it looks like an MRZ: read with certainty, or with a
 * right check digit.
 */
const isWorthReporting = ({ valid, confidence, checks }: NonNullable<StageResult['best']>): boolean =>
  valid || (confidence > 0.9 && Object.values(checks).filter(Boolean).length >= 1) || confidence > 0.97;

export interface MrzOptions {
  /** Today, `YYYY-MM-DD`: it decides the centuries. */
  today: string;
  /**
   * `quick` looks only where zones mostly are, `rest` only where `quick` did not, `first` only
   * upright, `all` everywhere.
   */
  search: 'all' | 'quick' | 'rest' | 'first';
}

/**
 * Finds and reads the machine-readable zone of a page in any of the four orientations and with up
 * to about 20 degrees of tilt. Undefined if there is none, or if it has less than five pixels a
 * character.
 */
export const readMrz = async (
  page: Page,
  recognise: RecogniseLines,
  { today, search }: MrzOptions,
): Promise<MrzReading | undefined> => {
  const spent = processorTime();
  const views = viewsOf(page.grey);
  let best: StageResult['best'];
  let foundAt = 0;
  let sawPrint = false;
  for (const [i, stage] of PLAN.entries()) {
    if (!isSearched(search, i)) continue;
    if (i >= TILTED_FROM && !sawPrint) break;
    const result = await readStage(views, stage, recognise);
    sawPrint ||= result.sawPrint;
    if (result.best && isBetter(result.best, best)) {
      best = result.best;
      foundAt = i + 1;
    }
    if (isConclusive(best) || spent() > BUDGET_MS) break;
  }
  if (!best || !isWorthReporting(best)) return undefined;
  const reading = readingOf(best, page, today, foundAt);
  return reading.pitch < UNREADABLE_BELOW ? undefined : reading;
};
