import { Readable } from 'node:stream';
import type { Reply } from '@assay/http';

/** One part of a multipart reply; its length is known before it is opened. */
export interface ReplyPart {
  name: string;
  filename: string;
  contentType: string;
  bytes: number;
  open: () => Promise<Readable>;
}

const headOf = (boundary: string, { name, filename, contentType }: ReplyPart): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n`;

/**
 * A multipart reply as clients are known to read it (specification, Replies): unquoted boundary, no
 * preamble, two header lines a part. `beforeEnd` runs when everything but the closing line is on
 * its way; if it fails the connection is cut and nobody takes the reply for complete.
 */
export const multipartReply = (
  boundary: string,
  parts: readonly ReplyPart[],
  beforeEnd: () => Promise<void> = async () => undefined,
): Reply => {
  const tail = `--${boundary}--\r\n`;
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(headOf(boundary, part)) + part.bytes + 2, 0);
  const bytes = async function* () {
    for (const part of parts) {
      yield Buffer.from(headOf(boundary, part));
      yield* await part.open();
      yield Buffer.from('\r\n');
    }
    await beforeEnd();
    yield Buffer.from(tail);
  };
  return {
    status: 200,
    stream: Readable.from(bytes(), { objectMode: false }),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(length + Buffer.byteLength(tail)),
    },
  };
};
