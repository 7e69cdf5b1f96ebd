import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawPassport, photograph, SPECIMEN } from '@assay/specimens';

const folder = join(import.meta.dirname, '../../../specimens');
export const committed = (name: string): Buffer => readFileSync(join(folder, name));

/** A specimen passport, drawn now. */
export const passport = async (): Promise<{ image: Buffer; how: string }> => {
  const drawn = await drawPassport(SPECIMEN, { portrait: committed('portraits/holder.jpg') });
  return { image: await photograph(drawn.front, { width: 1600, seed: 3 }), how: 'a specimen drawn just now' };
};
