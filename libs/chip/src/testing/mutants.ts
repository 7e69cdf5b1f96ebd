import fc from 'fast-check';

/** One change of a file: where, as a share of its length, and which. */
export type Change = {
  readonly kind:
    | 'BIT'
    | 'BYTE'
    | 'LENGTH'
    | 'CUT'
    | 'DOUBLE'
    | 'INSERT'
    | 'REMOVE'
    | 'SWAP'
    | 'INDEFINITE'
    | 'NEST'
    | 'TRAIL';
  readonly at: number;
  readonly value: number;
};

const KINDS = [
  'BIT',
  'BYTE',
  'LENGTH',
  'CUT',
  'DOUBLE',
  'INSERT',
  'REMOVE',
  'SWAP',
  'INDEFINITE',
  'NEST',
  'TRAIL',
] as const;

/** Any change; several of them make a mutant. */
export const anyChange: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  value: fc.nat(255),
});

/** Where elements of constructed kind begin, as far as one sees without reading the file. */
const constructedAt = (bytes: Buffer, at: number): number => {
  for (let index = at; index < bytes.length; index += 1)
    if (bytes[index] === 0x30 || bytes[index] === 0x31 || bytes[index] === 0xa0) return index;
  return 0;
};

const LENGTHS = [0x00, 0x7f, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0xff];

const insert = (bytes: Buffer, at: number, ...more: readonly Uint8Array[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...more, bytes.subarray(at)]);

const set = (bytes: Buffer, at: number, value: number): Buffer => {
  const changed = Buffer.from(bytes);
  if (at < changed.length) changed[at] = value;
  return changed;
};

/** The file with the change made. */
export const mutate = (bytes: Buffer, { kind, at: share, value }: Change): Buffer => {
  const at = Math.floor(share * bytes.length);
  const element = constructedAt(bytes, at);
  switch (kind) {
    case 'BIT':
      return set(bytes, at, (bytes[at] ?? 0) ^ (1 << (value % 8)));
    case 'BYTE':
      return set(bytes, at, value);
    case 'LENGTH':
      return set(bytes, element + 1, LENGTHS[value % LENGTHS.length]!);
    case 'CUT':
      return bytes.subarray(0, at);
    case 'DOUBLE':
      return insert(bytes, at, bytes.subarray(at, at + value));
    case 'INSERT':
      return insert(bytes, at, Buffer.alloc(value % 16, value));
    case 'REMOVE':
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + (value % 16))]);
    case 'SWAP':
      return Buffer.concat([
        bytes.subarray(0, at),
        bytes.subarray(at + value, at + 2 * value),
        bytes.subarray(at, at + value),
        bytes.subarray(at + 2 * value),
      ]);
    case 'INDEFINITE':
      return insert(set(bytes, element + 1, 0x80), at, Buffer.from([0, 0]));
    case 'NEST':
      return insert(bytes, element, Buffer.from(Array.from({ length: value }, () => [0x30, 0x80]).flat()));
    case 'TRAIL':
      return Buffer.concat([bytes, Buffer.alloc(value, value)]);
  }
};
