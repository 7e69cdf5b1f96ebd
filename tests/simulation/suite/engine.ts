import type { Engine } from '@assay/engine';
import type { Images } from '../../../services/evidence-intake/src/clients/images.ts';
import type { ChipProcess } from '../../../services/verification-worker/src/clients/chip-process.ts';

const unasked = (): Promise<never> => Promise.reject(new Error('the simulation asks for no such thing'));

/**
 * Replaces the processes that read uploaded images. All images have one size, and the longer of two
 * files is the sharper frame.
 */
export const simulatedImages = (): Images => ({
  header: async () => ({ width: 800, height: 600 }),
  sharpness: async (bytes) => bytes.length,
  chipKey: unasked,
  close: async () => undefined,
});

/**
 * Replaces the engine. It can read no picture, so every evidence with a picture ends NOT_VERIFIED.
 */
export const simulatedEngine = (): Engine => ({
  reader: { name: 'simulated', version: '1' },
  capacity: 2,
  pending: () => 0,
  document: async () => ({ error: { code: '1500', message: 'a picture of the simulation' } }),
  portrait: unasked,
  compare: unasked,
  close: async () => undefined,
});

export const simulatedChips = (): ChipProcess => ({
  check: unasked,
  decode: unasked,
  readTrustFile: unasked,
  reportOfTrust: unasked,
  close: async () => undefined,
});
