import type { Engine } from '@assay/engine';

const idle = async () => Promise.reject(new Error('no picture is looked at'));

/** An engine for tests without pictures: it refuses every picture. */
export const idleEngine: Engine = {
  reader: { name: 'none', version: '0' },
  capacity: 1,
  pending: () => 0,
  document: idle,
  portrait: idle,
  compare: idle,
  close: async () => undefined,
};
