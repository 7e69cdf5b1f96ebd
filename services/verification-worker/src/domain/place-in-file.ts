/**
 * Where in the bytes of a file its part begins; undefined where the part is a copy, as it is of a
 * file in BER.
 */
export const placeIn = (file: Uint8Array | undefined, part: Uint8Array): number | undefined => {
  if (file?.buffer !== part.buffer) return undefined;
  const at = part.byteOffset - file.byteOffset;
  return at >= 0 && at + part.length <= file.length ? at : undefined;
};
