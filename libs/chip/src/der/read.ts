import { beyondLimit, malformed } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { FILE, type ReadLimits } from './read-limits.ts';
import { encodeElement, TAG } from './write.ts';

/**
 * One element of a DER file. `bytes` is the whole element as it is in the file, with tag and
 * length.
 */
export interface Element {
  readonly tag: number;
  readonly constructed: boolean;
  readonly bytes: Buffer;
  readonly content: Buffer;
  readonly children: readonly Element[];
}

interface Node {
  readonly tag: number;
  readonly start: number;
  readonly contentStart: number;
  end: number;
  contentEnd: number;
  readonly indefinite: boolean;
  readonly constructed: boolean;
  readonly children: Node[];
}

/**
 * Counts the elements of one file. Tests pass it in, to check that the work grows only with the
 * input.
 */
export interface Steps {
  count: number;
}

interface Header {
  readonly tag: number;
  readonly constructed: boolean;
  readonly length: number;
  readonly size: number;
}

/** The length of an element that ends at a mark. */
export const INDEFINITE = -1;

const readTag = (bytes: Buffer, at: number, end: number): { tag: number; size: number } => {
  const first = bytes[at]!;
  if ((first & 0x1f) !== 0x1f) return { tag: first, size: 1 };
  let tag = first;
  for (let size = 2; size <= LIMITS.tagBytes; size += 1) {
    if (at + size > end) throw malformed('a tag is cut off');
    const next = bytes[at + size - 1]!;
    tag = tag * 256 + next;
    if ((next & 0x80) === 0) return { tag, size };
  }
  throw beyondLimit(`a tag has more than ${LIMITS.tagBytes} bytes`);
};

const readLength = (bytes: Buffer, at: number, end: number): { length: number; size: number } => {
  if (at >= end) throw malformed('a length is cut off');
  const first = bytes[at]!;
  if (first < 0x80) return { length: first, size: 1 };
  if (first === 0x80) return { length: INDEFINITE, size: 1 };
  const count = first & 0x7f;
  if (count > LIMITS.lengthBytes) throw beyondLimit(`a length has more than ${LIMITS.lengthBytes} bytes`);
  if (at + 1 + count > end) throw malformed('a length is cut off');
  return { length: bytes.readUIntBE(at + 1, count), size: 1 + count };
};

/** Reads tag and length of the element that begins here and ends before `end`. */
export const readHeader = (bytes: Buffer, at: number, end: number): Header => {
  const { tag, size } = readTag(bytes, at, end);
  const length = readLength(bytes, at + size, end);
  const constructed = (bytes[at]! & 0x20) !== 0;
  if (length.length === INDEFINITE && !constructed) throw malformed('a primitive element has no length');
  if (length.length > end - at - size - length.size) throw malformed('an element ends outside its parent');
  return { tag, constructed, length: length.length, size: size + length.size };
};

const nodeOf = (header: Header, at: number): Node => {
  const contentStart = at + header.size;
  const indefinite = header.length === INDEFINITE;
  const end = indefinite ? INDEFINITE : contentStart + header.length;
  return {
    tag: header.tag,
    constructed: header.constructed,
    start: at,
    contentStart,
    indefinite,
    end,
    contentEnd: end,
    children: [],
  };
};

/**
 * Where the innermost element of definite length ends. An element of indefinite length ends at its
 * end mark, inside that.
 */
const boundOf = (open: readonly Node[], end: number): number => {
  for (let index = open.length - 1; index >= 0; index -= 1) if (!open[index]!.indefinite) return open[index]!.end;
  return end;
};

const isEndMark = (bytes: Buffer, at: number, bound: number): boolean =>
  at + 2 <= bound && bytes[at] === 0 && bytes[at + 1] === 0;

/** Closes the elements that end at `at`, and returns where reading continues. */
const closeFinished = (bytes: Buffer, at: number, open: Node[]): number => {
  let next = at;
  for (;;) {
    const top = open.at(-1);
    if (top === undefined) return next;
    if (!top.indefinite) {
      if (next < top.end) return next;
      open.pop();
      continue;
    }
    if (!isEndMark(bytes, next, boundOf(open, bytes.length))) return next;
    top.contentEnd = next;
    top.end = next + 2;
    next += 2;
    open.pop();
  }
};

const addTo = (parent: Node | undefined, node: Node, { inOneLevel }: ReadLimits): void => {
  if (parent === undefined) return;
  if (parent.children.length >= inOneLevel) throw beyondLimit(`more than ${inOneLevel} elements in one level`);
  parent.children.push(node);
};

/**
 * Every element in the order of the file, parents first. It is a loop, not a recursion: each step
 * reads one header and continues after it.
 */
const scan = (bytes: Buffer, limits: ReadLimits, steps: Steps): Node[] => {
  const nodes: Node[] = [];
  const open: Node[] = [];
  let at = 0;
  do {
    steps.count += 1;
    if (nodes.length >= limits.elements) throw beyondLimit(`more than ${limits.elements} elements`);
    if (open.length >= LIMITS.depth) throw beyondLimit(`nested deeper than ${LIMITS.depth}`);
    const bound = boundOf(open, bytes.length);
    if (at >= bound) throw malformed('an element is cut off');
    const node = nodeOf(readHeader(bytes, at, bound), at);
    addTo(open.at(-1), node, limits);
    nodes.push(node);
    if (node.constructed) open.push(node);
    at = closeFinished(bytes, node.constructed ? node.contentStart : node.end, open);
  } while (open.length > 0);
  if (at !== bytes.length) throw malformed('bytes follow the last element');
  return nodes;
};

const STRINGS: ReadonlySet<number> = new Set(
  [TAG.octetString, TAG.bitString, TAG.utf8String, TAG.printableString].map((tag) => tag | 0x20),
);

const isPieces = (node: Node): boolean => STRINGS.has(node.tag);

const isDer = (node: Node): boolean => !node.indefinite && !isPieces(node);

/**
 * The same file in DER if parts of it are BER: it writes lengths in full and joins strings that are
 * in pieces. Parts in DER stay the same, byte for byte.
 */
const toDer = (bytes: Buffer, nodes: readonly Node[]): Buffer => {
  const rewritten = new Map<Node, Buffer>();
  for (const node of nodes.toReversed()) {
    if (isDer(node) && !node.children.some((child) => rewritten.has(child))) continue;
    const parts = node.children.map((child) => rewritten.get(child) ?? bytes.subarray(child.start, child.end));
    if (!isPieces(node)) {
      rewritten.set(node, encodeElement(node.tag, ...parts));
      continue;
    }
    if (node.tag === (TAG.bitString | 0x20)) throw malformed('a bit string in pieces');
    rewritten.set(node, encodeElement(node.tag & ~0x20, ...parts.map((part) => stringContent(part, node.tag & ~0x20))));
  }
  return rewritten.get(nodes[0]!) ?? bytes;
};

const stringContent = (bytes: Buffer, tag: number): Buffer => {
  const header = readHeader(bytes, 0, bytes.length);
  if (header.tag !== tag) throw malformed('a string in pieces holds something else');
  return bytes.subarray(header.size);
};

const elementsOf = (bytes: Buffer, nodes: readonly Node[]): Element => {
  const made = new Map<Node, Element>();
  for (const node of nodes.toReversed()) {
    made.set(node, {
      tag: node.tag,
      constructed: node.constructed,
      bytes: bytes.subarray(node.start, node.end),
      content: bytes.subarray(node.contentStart, node.contentEnd),
      children: node.children.map((child) => made.get(child)!),
    });
  }
  return made.get(nodes[0]!)!;
};

/**
 * Reads one DER or BER file into its elements; BER is changed to DER first. Throws a ChipError if
 * the file is cut off, too deep or too large.
 */
export const readDer = (input: Uint8Array, limits: ReadLimits = FILE, steps: Steps = { count: 0 }): Element => {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (bytes.length > limits.bytes) throw beyondLimit(`more than ${limits.bytes} bytes`);
  if (bytes.length === 0) throw malformed('no bytes');
  const nodes = scan(bytes, limits, steps);
  if (nodes.every(isDer)) return elementsOf(bytes, nodes);
  const der = toDer(bytes, nodes);
  return elementsOf(der, scan(der, limits, steps));
};
