import { Transform } from 'node:stream';

const BLANK = 0x20;
const TAB = 0x09;
const CRLF = '\r\n';

/**
 * Takes the transport padding out of a form that comes in chunks: blanks and tabs behind a boundary
 * (RFC 2046, 5.1.1), which the parsers take for the beginning of a part's headers. Everything else
 * passes at once and as it is.
 */
export const paddingRemover = (boundary: string): ((chunk: Buffer) => Buffer) => {
  const delimiter = Buffer.from(`${CRLF}--${boundary}`);
  // The end of what was seen: a delimiter may be cut. The first one needs no line break before it.
  let tail: Buffer = Buffer.from(CRLF);
  let isBehindDelimiter = false;
  return (chunk) => {
    const seen = Buffer.concat([tail, chunk]);
    const behindPadding = (start: number): number => {
      let at = start;
      while (seen[at] === BLANK || seen[at] === TAB) at += 1;
      isBehindDelimiter = at === seen.length;
      return at;
    };
    let from = isBehindDelimiter ? behindPadding(tail.length) : tail.length;
    const passed: Buffer[] = [];
    for (let at = seen.indexOf(delimiter); at >= 0; at = seen.indexOf(delimiter, from)) {
      const end = at + delimiter.length;
      passed.push(seen.subarray(from, end));
      from = behindPadding(end);
    }
    passed.push(seen.subarray(from));
    tail = seen.subarray(Math.max(0, seen.length - delimiter.length + 1));
    return passed.length === 1 && from === seen.length - chunk.length ? chunk : Buffer.concat(passed);
  };
};

/** The same as a stage of a pipeline. */
export const withoutPadding = (boundary: string): Transform => {
  const remove = paddingRemover(boundary);
  return new Transform({ transform: (chunk: Buffer, _encoding, done) => done(null, remove(chunk)) });
};
