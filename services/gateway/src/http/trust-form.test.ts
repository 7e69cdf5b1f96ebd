import { PassThrough } from 'node:stream';
import { guarded } from '@assay/http';
import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { trustFormOf } from './trust-form.ts';

const FORM = '--B\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nbytes\r\n--B--\r\n';
const take = (upload: PassThrough) =>
  trustFormOf(
    upload,
    { 'content-type': 'multipart/form-data; boundary=B', 'content-length': String(FORM.length) },
    {} as Response,
  );
const malformed = { status: 400, message: 'the multipart body is malformed or ends early' };

test('a trust file whose sender left amid it is refused', async () => {
  const upload = new PassThrough();
  upload.write(FORM.slice(0, 20));
  const taken = take(upload);
  upload.destroy(new Error('aborted'));
  await expect(taken).rejects.toMatchObject(malformed);
});

test('a trust file whose sender left before it was taken is refused, not waited for', async () => {
  const upload = guarded(new PassThrough());
  upload.write(FORM.slice(0, 20));
  upload.destroy(new Error('aborted'));
  await new Promise((resolve) => upload.once('close', resolve));
  await expect(take(upload)).rejects.toMatchObject(malformed);
});

test('a whole one is taken', async () => {
  const upload = new PassThrough();
  upload.end(FORM);
  expect(await take(upload)).toEqual({ file: Buffer.from('bytes'), source: '' });
});
