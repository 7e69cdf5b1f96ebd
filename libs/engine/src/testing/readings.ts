import type { DocumentReading, SideReading } from '../document.ts';
import type { MrzReading } from '../mrz/read.ts';
import type { Recognition } from '../recognition/recognise.ts';

/** A picture with nothing wrong. */
const GOOD: SideReading = {
  measures: {
    blur: 0.15,
    sharpness: 2,
    glare: 0,
    brightness: { mean: 140, bright: 230, darkShare: 0 },
    colour: { saturation: 0.2, colourfulness: 30, independentChroma: 15 },
    screenshot: { screenSize: false, flatBands: 0, noiseless: 0, cameraData: true },
    longestSide: 1600,
  },
  rotation: 0,
};

/** A passport's zone, large and right. */
export const ZONE: MrzReading & { side: 'FRONT' } = {
  side: 'FRONT',
  format: 'TD3',
  lines: [],
  fields: {
    documentCode: 'P',
    issuingState: 'UTO',
    nationality: 'UTO',
    surname: 'ERIKSSON',
    givenNames: ['ANNA', 'MARIA'],
    nameTruncated: false,
    documentNumber: 'L898902C3',
    birthDate: '1974-08-12',
    expiryDate: '2035-04-15',
    sex: 'F',
    optional: [],
  },
  checks: { documentNumber: true, birthDate: true, expiryDate: true, composite: true },
  valid: true,
  repaired: false,
  stateReplaced: false,
  unlistedStates: [],
  confidence: 0.99,
  pitch: 25,
  rotation: 0,
  tilt: 0,
  quad: [
    { x: 0, y: 0 },
    { x: 1100, y: 0 },
    { x: 1100, y: 80 },
    { x: 0, y: 80 },
  ],
  misalignment: 0,
  stage: 1,
};

/** A model known by its zone, barcode or words. */
export const model = (
  type: Recognition['type'],
  by: Recognition['by'],
  more: Partial<Recognition> = {},
): Recognition => ({
  model: 'ANY',
  type,
  country: 'UTO',
  by,
  sides: ['FRONT'],
  confidence: 0.9,
  complete: by !== 'LAYOUT',
  ...more,
});

/** A reading of one good picture on which nothing was read, with what a test is about. */
export const readingOf = (parts: Partial<DocumentReading>): DocumentReading => ({
  today: { earliest: '2026-11-21', latest: '2026-11-21', utc: '2026-11-21' },
  details: {},
  several: 'UNVERIFIED',
  front: GOOD,
  visual: { lines: [], found: 0, checks: {}, machinePrint: [], turned: {} },
  data: { givenNames: [] },
  timings: {},
  ...parts,
});

/** The same picture as a back. */
export const BACK: SideReading = GOOD;
