/** Tags of the universal class, as their first byte in a file. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

const tagBytes = (tag: number): Buffer => {
  const size = tag > 0xffff ? 3 : tag > 0xff ? 2 : 1;
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(tag, 0, size);
  return bytes;
};

/** A length in the shortest form, as DER requires. */
const encodeLength = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  const size = length > 0xffffff ? 4 : length > 0xffff ? 3 : length > 0xff ? 2 : 1;
  const bytes = Buffer.alloc(1 + size);
  bytes[0] = 0x80 | size;
  bytes.writeUIntBE(length, 1, size);
  return bytes;
};

/** One element with this tag around these contents. */
export const encodeElement = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([tagBytes(tag), encodeLength(content.length), content]);
};

const base128 = (value: bigint): number[] => {
  const bytes = [Number(value & 0x7fn)];
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80);
  return bytes;
};

/** An object identifier given in dotted form. */
export const encodeOid = (dotted: string): Buffer => {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt);
  return encodeElement(TAG.oid, Buffer.from([first * 40n + second, ...rest].flatMap(base128)));
};
