import type { Random } from '../../faults/random.ts';

const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
/** What the engine of the simulation can read follows this mark. */
const MARK = 'SHOWN:';

/** What a picture shows: a face, and where it is a passport's page its number. */
export interface Shown {
  face: string;
  passport?: string;
}

/** Bytes that begin like a photograph. */
export const pictureOf = (random: Random): Buffer =>
  Buffer.concat([JPEG, Buffer.from(Array.from({ length: random.between(100, 3000) }, () => random.between(0, 255)))]);

/** A picture in which the engine of the simulation finds something. */
export const pictureWith = (random: Random, shown: Shown): Buffer =>
  Buffer.concat([pictureOf(random), Buffer.from(MARK + JSON.stringify(shown))]);

/** What the engine finds in a picture; undefined if it can read nothing. */
export const shownIn = (picture: Uint8Array): Shown | undefined => {
  const bytes = Buffer.from(picture);
  const at = bytes.lastIndexOf(MARK);
  const text = bytes.subarray(at + MARK.length).toString('latin1');
  return at < 0 ? undefined : JSON.parse(text.slice(0, text.lastIndexOf('}') + 1));
};
