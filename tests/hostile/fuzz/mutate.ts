/** A source of numbers from 0 to 1, the same for the same seed. */
export type Random = () => number;

/** Mulberry32: small, and good enough to choose where to break bytes. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const LONGEST = 1024 * 1024;
/**
 * Bytes that parsers often fail on: ends of ranges, terminators, opening and closing characters.
 */
const TOKENS = [
  '\0',
  '\r\n',
  '--',
  '<',
  '>',
  '&',
  '"',
  '{',
  '[',
  ']]>',
  ';',
  '%',
  '\ufeff',
  '__proto__',
  '9'.repeat(20),
  '\xff\xff\xff\xff',
];

type Mutation = (bytes: Buffer, at: number, random: Random) => Buffer;

const splice = (bytes: Buffer, from: number, to: number, middle: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);

const MUTATIONS: readonly Mutation[] = [
  (bytes, at, random) => splice(bytes, at, at + 1, Buffer.from([Math.floor(random() * 256)])),
  (bytes, at, random) => splice(bytes, at, at + 1, Buffer.from([(bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))])),
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at, random) => splice(bytes, at, at + Math.floor(random() * 64), Buffer.alloc(0)),
  (bytes, at, random) => splice(bytes, at, at, Buffer.from(TOKENS[Math.floor(random() * TOKENS.length)]!, 'latin1')),
  (bytes, at, random) => splice(bytes, at, at, bytes.subarray(at, at + Math.floor(random() * 256))),
  (bytes, at, random) => {
    const piece = bytes.subarray(at, at + 1 + Math.floor(random() * 8));
    return splice(bytes, at, at, Buffer.concat(Array.from({ length: 1 + Math.floor(random() * 2000) }, () => piece)));
  },
];

/** Makes one to four changes to an input. */
export const mutated = (input: Buffer, random: Random): Buffer => {
  let bytes = input;
  for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes -= 1) {
    const mutation = MUTATIONS[Math.floor(random() * MUTATIONS.length)]!;
    bytes = mutation(bytes, Math.floor(random() * (bytes.length + 1)), random);
  }
  return bytes.subarray(0, LONGEST);
};
