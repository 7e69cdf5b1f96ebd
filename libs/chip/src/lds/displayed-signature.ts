import { malformed } from '../errors.ts';
import { readDataGroup } from './files.ts';
import { type FoundImage, imageOf } from './image.ts';

const IMAGE = 0x5f43;

/** Reads the signature or mark of data group 7. */
export const readDataGroup7 = (bytes: Uint8Array): FoundImage => {
  const field = readDataGroup(bytes, 7).children.find(({ tag }) => tag === IMAGE);
  const image = field && imageOf(field.content);
  if (image === undefined) throw malformed('data group 7 has no image that we can read');
  return image;
};
