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
  const seam = delimiter.length - 1;
  // The end of what was seen: a delimiter may be cut. The first one needs no line break before it.
  let tail: Buffer = Buffer.from(CRLF);
  let isBehindDelimiter = false;
  /** Where the next delimiter from `from` on ends; at the start of a chunk it may be a cut one. */
  const nextEnd = (chunk: Buffer, from: number): number => {
    // Only the few bytes at a seam are joined: pictures are not copied for it.
    const cut = from === 0 ? Buffer.concat([tail, chunk.subarray(0, seam)]).indexOf(delimiter) : -1;
    if (cut >= 0) return cut - tail.length + delimiter.length;
    const at = chunk.indexOf(delimiter, from);
    return at < 0 ? -1 : at + delimiter.length;
  };
  return (chunk) => {
    const behindPadding = (start: number): number => {
      let at = start;
      while (chunk[at] === BLANK || chunk[at] === TAB) at += 1;
      isBehindDelimiter = at === chunk.length;
      return at;
    };
    let from = isBehindDelimiter ? behindPadding(0) : 0;
    const passed: Buffer[] = [];
    for (let end = nextEnd(chunk, from); end >= 0; end = nextEnd(chunk, from)) {
      passed.push(chunk.subarray(from, end));
      from = behindPadding(end);
    }
    passed.push(chunk.subarray(from));
    tail = chunk.length < seam ? Buffer.concat([tail, chunk]).subarray(-seam) : chunk.subarray(chunk.length - seam);
    return passed.length === 1 ? passed[0]! : Buffer.concat(passed);
  };
};

/** The same as a stage of a pipeline. */
export const withoutPadding = (boundary: string): Transform => {
  const remove = paddingRemover(boundary);
  return new Transform({ transform: (chunk: Buffer, _encoding, done) => done(null, remove(chunk)) });
};
