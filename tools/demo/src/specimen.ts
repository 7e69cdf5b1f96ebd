import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawPassport, photograph, SPECIMEN } from '@assay/specimens';

const folder = join(import.meta.dirname, '../../../specimens');
export const committed = (name: string): Buffer => readFileSync(join(folder, name));

const hasFonts = (): boolean => {
  try {
    return execFileSync('fc-list', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).includes('OCR B');
  } catch {
    return false;
  }
};

/** A specimen passport: drawn now where the machine has the typeface of machine-readable zones, else the one drawn before. */
export const passport = async (): Promise<{ image: Buffer; how: string }> => {
  if (!hasFonts())
    return { image: committed('passport.jpg'), how: 'the specimen drawn before (no OCR-B typeface here)' };
  const drawn = await drawPassport(SPECIMEN, { portrait: committed('portraits/holder.jpg') });
  return { image: await photograph(drawn.front, { width: 1600, seed: 3 }), how: 'a specimen drawn just now' };
};
