import { PROOF_PART_NAME } from '@assay/contracts';
import { Refusal } from './report.ts';
import { type ByteSource, slice } from './source.ts';

/** The ZIP of a proof, and the filename its envelope gives it; a bare ZIP has none. */
export interface Unwrapped {
  zip: ByteSource;
  filename?: string;
}

const HEAD =
  /^--([^\r\n="]{1,70})\r\nContent-Disposition: form-data; name="([^"\r\n]*)"; filename="([^"\r\n]*)"\r\nContent-Type: application\/zip\r\n\r\n/;
const HEAD_BYTES = 1024;

/**
 * Whether a delimiter stands in a source: readers of envelopes end the part there, some behind any
 * end of a line. Whoever chose the boundary by bytes of the archive makes them unpack these.
 */
const holds = async (source: ByteSource, delimiter: Buffer): Promise<boolean> => {
  let before = Buffer.alloc(0);
  for await (const chunk of source.stream(0, source.size)) {
    const bytes = Buffer.concat([before, chunk as Buffer]);
    if (bytes.includes(delimiter)) return true;
    before = bytes.subarray(Math.max(0, bytes.length - delimiter.length + 1));
  }
  return false;
};

/**
 * Takes the ZIP out of its MIME multipart envelope, which has exactly one part, two header lines in
 * it, no preamble and no epilogue (specification, Replies). A source that begins like a ZIP is one.
 */
export const unwrap = async (source: ByteSource): Promise<Unwrapped> => {
  const head = (await source.read(0, Math.min(HEAD_BYTES, source.size))).toString('latin1');
  if (head.startsWith('PK')) return { zip: source };
  if (!head.startsWith('--')) throw new Refusal('neither a MIME envelope nor a ZIP archive');
  const [header, boundary, name, filename] = HEAD.exec(head) ?? [];
  if (header === undefined) throw new Refusal('the envelope does not begin with one part of type application/zip');
  if (name !== PROOF_PART_NAME) throw new Refusal(`the part is not named ${PROOF_PART_NAME}`);
  const closing = `\r\n--${boundary}--`;
  const tail = (await source.read(source.size - closing.length - 2, source.size)).toString('latin1');
  const end = tail === `${closing}\r\n` ? source.size - tail.length : source.size - closing.length;
  if (tail !== `${closing}\r\n` && !tail.endsWith(closing))
    throw new Refusal('the envelope does not end with the closing delimiter of its boundary');
  const zip = slice(source, header.length, end);
  if (await holds(zip, Buffer.from(`--${boundary}`, 'latin1')))
    throw new Refusal('the boundary of the envelope stands within the archive');
  return { zip, filename: filename! };
};
