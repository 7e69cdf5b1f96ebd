import type { InternalClaims } from '@assay/contracts';
import type { Rig } from './rig.ts';

/** Builds a multipart body. Each part is given with its header lines as they are sent. */
export const multipart = (boundary: string, parts: { headers: string[]; bytes: Buffer | string }[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ headers, bytes }) => [
      Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

/** A part as most clients send it. */
export const part = (
  name: string,
  bytes: Buffer | string,
  filename: string | undefined = 'f.jpg',
  type = 'image/jpeg',
) => ({
  headers: [
    `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
    `Content-Type: ${type}`,
  ],
  bytes,
});

export const upload = (
  rig: Rig,
  claims: InternalClaims,
  parts: { headers: string[]; bytes: Buffer | string }[],
  path = '/evidences/capture',
) => rig.call('POST', path, claims, multipart('B', parts), { 'content-type': 'multipart/form-data; boundary=B' });
