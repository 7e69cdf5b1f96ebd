import { type Grey, greyOf, type Rgb } from '../raster.ts';
import type { PortraitMeasures } from '../rules/portrait-rules.ts';
import { type ChipShape, chipTransform } from './align.ts';
import { type Face, toImage } from './find.ts';
import { apply, distance, invert, middle, type Point } from './geometry.ts';
import { sample } from './sample.ts';

const CHIP: ChipShape = { size: 160, padding: 0.25 };

/** What the portrait rules need, from the 68 landmarks and one aligned face of 160 pixels. */
export function measurePortrait(face: Face): PortraitMeasures {
  const transform = chipTransform(face.landmarks, CHIP);
  const chip = sample(face.view.image, toImage(face, transform), CHIP.size, CHIP.size);
  const inChip = invert(transform);
  const points = face.landmarks.map((point) => apply(inChip, point));
  const pose = poseOf(face.landmarks);
  const grey = greyOf(chip);
  return {
    faceWidth: Math.round(face.box.width),
    ...pose,
    blur: blurOf(grey),
    ...lightOf(grey),
    ...coverOf(chip, points),
  };
}

const between = (points: readonly Point[], from: number, to: number): Point => middle(points.slice(from, to + 1));

function poseOf(points: readonly Point[]): Pick<PortraitMeasures, 'eyeDistance' | 'roll' | 'yaw'> {
  const right = between(points, 36, 41);
  const left = between(points, 42, 47);
  const angle = Math.atan2(left[1] - right[1], left[0] - right[0]);
  const across = ([x, y]: Point) => x * Math.cos(angle) + y * Math.sin(angle);
  const at = (index: number) => across(points[index] ?? [0, 0]);
  const toRight = at(30) - at(2);
  const toLeft = at(14) - at(30);
  return {
    eyeDistance: distance(left, right),
    roll: (angle * 180) / Math.PI,
    yaw: (toRight - toLeft) / (toRight + toLeft),
  };
}

/**
 * Crete's measure: how much a box blur reduces the differences of neighbours. 0 sharp, 1 blurred.
 */
function blurOf({ width, height, data }: Grey): number {
  let differences = 0;
  let lost = 0;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    for (let x = 0; x < 9; x++) sum += data[row + x]!;
    for (let x = 5; x < width - 4; x++) {
      const before = sum;
      sum += data[row + x + 4]! - data[row + x - 5]!;
      const sharp = Math.abs(data[row + x]! - data[row + x - 1]!);
      differences += sharp;
      lost += Math.max(0, sharp - Math.abs(sum / 9 - before / 9));
    }
  }
  return differences ? 1 - lost / differences : 1;
}

function lightOf({
  width,
  height,
  data,
}: Grey): Pick<PortraitMeasures, 'luminance' | 'darkShare' | 'brightShare' | 'asymmetry'> {
  // The middle of the aligned face is skin; its corners are background and hair.
  const [top, bottom] = [Math.round(height * 0.25), Math.round(height * 0.85)];
  const [side, half] = [Math.round(width * 0.2), width / 2];
  const halves = [0, 0];
  let dark = 0;
  let bright = 0;
  let count = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = side; x < width - side; x++) {
      const value = data[y * width + x]!;
      halves[x < half ? 0 : 1]! += value;
      if (value < 25) dark++;
      if (value > 245) bright++;
      count++;
    }
  }
  const [right = 0, left = 0] = halves;
  return {
    luminance: (right + left) / count,
    darkShare: dark / count,
    brightShare: bright / count,
    asymmetry: Math.abs(right - left) / Math.max(1, (right + left) / 2),
  };
}

interface Patch {
  luminance: number;
  deviation: number;
  /** Shares of red and green in the sum of the three channels. */
  chroma: Point;
}

function patchOf(chip: Rgb, [cx, cy]: Point, halfWidth: number, halfHeight: number): Patch {
  const [left, right] = [Math.max(0, Math.round(cx - halfWidth)), Math.min(chip.width - 1, Math.round(cx + halfWidth))];
  const [top, bottom] = [
    Math.max(0, Math.round(cy - halfHeight)),
    Math.min(chip.height - 1, Math.round(cy + halfHeight)),
  ];
  const sums = [0, 0, 0];
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const at = (y * chip.width + x) * 3;
      for (let channel = 0; channel < 3; channel++) sums[channel]! += chip.data[at + channel]!;
      const grey = 0.299 * chip.data[at]! + 0.587 * chip.data[at + 1]! + 0.114 * chip.data[at + 2]!;
      sum += grey;
      squares += grey * grey;
      count++;
    }
  }
  const [red = 0, green = 0, blue = 0] = sums;
  const all = Math.max(1, red + green + blue);
  const luminance = sum / Math.max(1, count);
  const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, count) - luminance * luminance));
  return { luminance, deviation, chroma: [red / all, green / all] };
}

function coverOf(
  chip: Rgb,
  points: readonly Point[],
): Pick<PortraitMeasures, 'eyeContrast' | 'mouthContrast' | 'chinColourShift' | 'mouthColourShift'> {
  const eyes = [between(points, 36, 41), between(points, 42, 47)] as const;
  const eyeSpan = distance(eyes[0], eyes[1]);
  const mouth = between(points, 48, 59);
  const cheek = ([ex]: Point): Patch =>
    patchOf(chip, [ex, (eyes[0][1] + mouth[1]) / 2], eyeSpan * 0.12, eyeSpan * 0.12);
  const cheeks = eyes.map(cheek);
  const skin = Math.max(12, cheeks.reduce((sum, { luminance }) => sum + luminance, 0) / cheeks.length);
  const eye = (centre: Point) => patchOf(chip, centre, eyeSpan * 0.26, eyeSpan * 0.14).deviation / skin;
  const lips = patchOf(chip, mouth, eyeSpan * 0.36, eyeSpan * 0.18);
  const lower = points[57] ?? mouth;
  const tip = points[8] ?? mouth;
  const chin = patchOf(chip, [(lower[0] + tip[0]) / 2, (lower[1] + tip[1]) / 2], eyeSpan * 0.2, eyeSpan * 0.1);
  const nose = patchOf(chip, between(points, 27, 29), eyeSpan * 0.08, eyeSpan * 0.12);
  return {
    eyeContrast: [eye(eyes[0]), eye(eyes[1])],
    mouthContrast: lips.deviation / skin,
    chinColourShift: distance(chin.chroma, nose.chroma),
    mouthColourShift: distance(lips.chroma, nose.chroma),
  };
}
