import type { Random } from '../../faults/random.ts';

const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');

/** Bytes that begin like a photograph. */
export const pictureOf = (random: Random): Buffer =>
  Buffer.concat([JPEG, Buffer.from(Array.from({ length: random.between(100, 3000) }, () => random.between(0, 255)))]);
