import { present } from '@assay/contracts';
import { splitByForm } from './run-together.ts';

/** A licence barcode, split into its elements: three-character ids and their text. */
export interface AamvaElements {
  iin: string;
  version: number;
  jurisdictionVersion?: number;
  /** Subfile types named by the header, `DL`, `ID`, `EN`, `ZV`... */
  types: string[];
  elements: Readonly<Record<string, string>>;
  /** Deviations from the standard that were accepted. */
  warnings: ('offsets' | 'separators' | 'header')[];
}

const HEADER = /@?\s*(ANSI ?|AAMVA)\s?(\d{6})(\d{2})/;

interface Header {
  types: { type: string; offset: number }[];
  jurisdictionVersion?: number;
  /** Where the header ends. */
  end: number;
}

const WITH_JURISDICTION = /^(\d{2})(\d{2})((?:[A-Z]{2}\d{8})+)/;
const WITHOUT_JURISDICTION = /^(\d{2})((?:[A-Z]{2}\d{8})+)/;

const designators = (text: string, count: number): Header['types'] =>
  [...text.matchAll(/([A-Z]{2})(\d{4})(\d{4})/g)]
    .slice(0, count || 9)
    .map(([, type, offset]) => ({ type: type!, offset: Number(offset) }));

/**
 * Version 1 has no jurisdiction version. What follows decides, since the version number alone is
 * not reliable.
 */
const headerOf = (rest: string, version: number): Header => {
  const long = WITH_JURISDICTION.exec(rest);
  const short = WITHOUT_JURISDICTION.exec(rest);
  if (long && (version >= 2 || !short)) {
    const types = designators(long[3]!, Number(long[2]));
    return { types, jurisdictionVersion: Number(long[1]), end: 4 + types.length * 10 };
  }
  if (short) {
    const types = designators(short[2]!, Number(short[1]));
    return { types, end: 2 + types.length * 10 };
  }
  return { types: [], end: 0 };
};

/** A line with this many elements was printed without separators. */
const RUN_TOGETHER = 4;
const ELEMENT = /^(D[A-D][A-Z]|Z[A-Z][A-Z])/;

export const withoutTail = (text: string): string => text.replace(/[\s,]+$/, '').trim();

const splitBefore = (text: string, mark: string): string[] => {
  const at = text.indexOf(mark);
  return at > 0 ? [text.slice(0, at), text.slice(at)] : [text];
};

const subfiles = (text: string, { types, end }: Header, start: number) => {
  const ends = types.map(({ offset }) => offset);
  // The stated length is ignored: copies with CR LF make it too short. A subfile continues to the
  // next one.
  const stated = types.map(({ type, offset }) => {
    const body = text.slice(offset, Math.min(...ends.filter((other) => other > offset), text.length));
    return body.startsWith(type) ? body : undefined;
  });
  const placed = stated.filter((body) => body !== undefined);
  if (placed.length === types.length && placed.length > 0) return { bodies: placed, warnings: [] };
  // The elements of an issuer's own part begin with its name: ZVZVA.
  const own = types.filter(({ type }) => type.startsWith('Z')).map(({ type }) => type + type);
  const bodies = own.reduce(
    (parts, mark) => parts.flatMap((part) => splitBefore(part, mark)),
    [text.slice(start + end)],
  );
  return { bodies, warnings: ['offsets' as const] };
};

/**
 * Elements of a licence barcode of any version since 2000; undefined if the text has no such
 * header.
 */
export const aamvaElements = (raw: string): AamvaElements | undefined => {
  // Separators are control characters of several kinds. Each is replaced by one character, so that
  // offsets stay right.
  const text = raw.replace(/\p{Cc}/gu, '\n');
  const match = HEADER.exec(text);
  if (!match) return undefined;
  const version = Number(match[3]);
  const start = match.index + match[0].length;
  const header = headerOf(text.slice(start), version);
  const { bodies, warnings } = subfiles(text, header, start);
  const elements: Record<string, string> = {};
  const noted = new Set<AamvaElements['warnings'][number]>(warnings);
  if (header.types.length === 0) noted.add('header');
  for (const body of bodies) {
    const bare = body.replace(/^(DL|ID|EN|Z[A-Z])(?=[DZ][A-Z][A-Z])/, '');
    for (const line of bare.split(/\n+/)) {
      const pieces = splitByForm(line, version);
      const parts = pieces.length >= RUN_TOGETHER ? pieces : [line];
      if (parts === pieces) noted.add('separators');
      for (const part of parts) {
        const element = part.replace(/^(DL|ID)(?=[DZ][A-Z][A-Z])/, '');
        if (ELEMENT.test(element)) elements[element.slice(0, 3)] ??= element.slice(3).trim();
      }
    }
  }
  return {
    iin: match[2]!,
    version,
    ...present({ jurisdictionVersion: header.jurisdictionVersion }),
    types: header.types.map(({ type }) => type),
    elements,
    warnings: [...noted],
  };
};
