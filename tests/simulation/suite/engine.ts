import { setTimeout as pause } from 'node:timers/promises';
import { readChipKey } from '@assay/chip';
import type { Indicator } from '@assay/contracts';
import type { DocumentJob, DocumentReading, Engine, FaceTemplate, ReadValue } from '@assay/engine';
import { model, readingOf } from '../../../libs/engine/src/testing/readings.ts';
import type { Images } from '../../../services/evidence-intake/src/clients/images.ts';
import { shownIn } from '../client/picture.ts';

/**
 * Replaces the processes that read uploaded images. All images have one size, and the longer of two
 * files is the sharper frame.
 */
export const simulatedImages = (): Images => ({
  header: async () => ({ width: 800, height: 600 }),
  sharpness: async (bytes) => bytes.length,
  chipKey: async (dataGroup14) => readChipKey(dataGroup14),
  close: async () => undefined,
});

/** What the engine finds on every face, all of it good. */
const MEASURES = {
  ...{ faceWidth: 400, eyeDistance: 160, roll: 0, yaw: 0, blur: 0.2, luminance: 140, darkShare: 0, brightShare: 0 },
  ...{ asymmetry: 0, eyeContrast: [0.3, 0.3] as [number, number], mouthContrast: 0.3 },
  ...{ chinColourShift: 0, mouthColourShift: 0 },
};
const templateOf = (face: string): FaceTemplate => ({
  recipe: 'simulated',
  descriptor: Buffer.from(face).toString('base64'),
  embedding: '',
  faceWidth: MEASURES.faceWidth,
});

const GENUINE: Indicator[] = [
  'MODEL_RECOGNIZED_OK',
  'MRZ_CHECKSUMS_OK',
  'MRZ_FIELDS_SYNTAX_OK',
  'DOC_EXPIRATION_DATE_OK',
  'PORTRAIT_OK',
];

/** The reading of a passport of which its zone was read. */
const readingOfPassport = (number: string, { today, details }: DocumentJob): DocumentReading => {
  const read = (value: string): ReadValue => ({ value, source: 'MRZ', confirmed: true });
  return readingOf({
    ...{ today, details, recognition: model('PASSPORT', 'MRZ', { country: 'AUS' }) },
    data: {
      documentType: 'PASSPORT',
      documentNumber: read(number),
      issuingCountry: read('AUS'),
      nationality: read('AUS'),
      expiryDate: read('2035-08-12'),
      surname: read('SPECIMEN'),
      givenNames: [read('BARRY')],
      birthDate: read('1974-08-12'),
      gender: read('M'),
    },
  });
};

const NOTHING_READ = { error: { code: '1500', message: 'a picture of the simulation' } };
const LONGEST_MS = 1500;

/** Replaces the engine. It finds in a picture what its client says that it shows. */
export const simulatedEngine = (): Engine => ({
  reader: { name: 'simulated', version: '1' },
  capacity: 2,
  pending: () => 0,
  document: async (job, onPortrait) => {
    const shown = shownIn(job.front);
    if (shown?.passport === undefined) return NOTHING_READ;
    const cut = { side: 'FRONT' as const, crop: Buffer.from(`the face of ${shown.face}`) };
    await pause(Math.random() * LONGEST_MS);
    onPortrait?.(cut);
    await pause(Math.random() * LONGEST_MS);
    return {
      reading: readingOfPassport(shown.passport, job),
      indicators: GENUINE,
      errors: [],
      portrait: {
        ...cut,
        box: { x: 0, y: 0, width: 400, height: 500 },
        template: templateOf(shown.face),
        measures: MEASURES,
      },
      timings: {},
    };
  },
  portrait: async ({ image }) => {
    const shown = shownIn(image);
    if (!shown) return NOTHING_READ;
    await pause(Math.random() * LONGEST_MS);
    return {
      ...{ usable: true, errors: [], refusals: [], warnings: [], faceCount: 1, timings: {}, measures: MEASURES },
      indicators: ['BIOMETRIC_QUALITY_CHECK_OK', 'BIOMETRIC_LIVENESS_CHALLENGE_UNVERIFIED'],
      template: templateOf(shown.face),
    };
  },
  compare: async (a, b) => ({
    distance: a.descriptor === b.descriptor ? 0.4 : 0.95,
    model: 'simulated',
    responseTimeMs: 1,
  }),
  close: async () => undefined,
});
