import { connect } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';

/**
 * Sends bytes to a port as they are and waits for the end. Returns the status of the reply,
 * `closed` if there is none, or `open` if the connection is still open after `patienceMs`.
 */
export const sendRaw = (
  baseUrl: string,
  bytes: string | Buffer,
  patienceMs = 45_000,
): Promise<number | 'closed' | 'open'> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    let reply = '';
    const timer = setTimeout(() => {
      resolve('open');
      socket.destroy();
    }, patienceMs);
    socket.setEncoding('latin1').on('data', (text: string) => {
      reply += text;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      const last = [...reply.matchAll(/^HTTP\/1\.1 (\d+)/gm)]
        .map(([, status]) => Number(status))
        .find((status) => status >= 200);
      resolve(last ?? 'closed');
    });
    socket.write(bytes);
  });

/** The head of a request with a body. */
export const head = (method: string, path: string, lines: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: test', 'Connection: close', ...lines, '', ''].join('\r\n');

interface Part {
  name: string;
  content: string | Buffer;
  filename?: string;
}

/** A form as bytes, with the boundary B. */
export const form = (parts: readonly Part[], end = '--B--\r\n'): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, content, filename }) => [
      Buffer.from(
        `--B\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ]);

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG of one colour whose pixels need far more memory than its bytes. */
export const largePng = (side: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel, greyscale.
  header.writeUInt8(1, 8);
  const rows = Buffer.alloc(side * (1 + Math.ceil(side / 8)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
