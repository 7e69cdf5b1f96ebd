import type { Engine } from '@assay/engine';
import type { ChipProcess } from '../../../services/verification-worker/src/clients/chip-process.ts';

const unasked = (): Promise<never> => Promise.reject(new Error('the simulation submits no images'));

/** The port of the engine. Pictures are not part of the simulation: what is submitted is text. */
export const simulatedEngine = (): Engine => ({
  reader: { name: 'simulated', version: '1' },
  capacity: 2,
  pending: () => 0,
  document: unasked,
  portrait: unasked,
  compare: unasked,
  close: async () => undefined,
});

export const simulatedChips = (): ChipProcess => ({
  check: unasked,
  readTrustFile: unasked,
  reportOfTrust: unasked,
  close: async () => undefined,
});
