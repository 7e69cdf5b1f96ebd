import { malformed } from '../errors.ts';
import { type PublicKey, publicKeyOf } from '../keys/public-key.ts';
import { readDataGroup } from './files.ts';

/** Reads the key of active authentication from data group 15. */
export const readDataGroup15 = (bytes: Uint8Array): PublicKey => {
  const file = readDataGroup(bytes, 15);
  if (file.children.length !== 1) throw malformed('data group 15 holds more than one key');
  return publicKeyOf(file.children[0]!);
};
