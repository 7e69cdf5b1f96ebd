import type { IncomingHttpHeaders } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { ApiError, boundaryIn, guarded, malformedForm, withoutPadding } from '@assay/http';
import type { Request, Response } from 'express';
import multer from 'multer';

const LARGEST_FILE = 16 * 1024 * 1024;
const LONGEST_SOURCE = 256;

const takeForm = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: LARGEST_FILE, files: 1, fields: 1, parts: 2, fieldSize: LONGEST_SOURCE, headerPairs: 20 },
}).single('file');

const refusalOf = (error: unknown): Error => {
  if (!(error instanceof multer.MulterError)) return malformedForm();
  if (error.code === 'LIMIT_FILE_SIZE') return new ApiError('BODY_TOO_LARGE', { field: 'file' });
  return new ApiError('BAD_FIELD', { field: error.field ?? 'file', message: error.message });
};

/** The file an administrator sent, and where it comes from. */
export const trustFormOf = async (
  upload: Readable,
  headers: IncomingHttpHeaders,
  response: Response,
): Promise<{ file: Buffer; source: string }> => {
  const stage = guarded(withoutPadding(boundaryIn(headers['content-type'] ?? '') ?? ''));
  const form = Object.assign(upload.pipe(stage), { headers }) as unknown as Request;
  const taken = new Promise<void>((resolve, reject) => {
    takeForm(form, response, (error: unknown) => (error ? reject(refusalOf(error)) : resolve()));
  });
  // The sender may have left before: an upload that has broken off already emits no error any more.
  finished(upload, { writable: false }, (error) => {
    if (error) stage.destroy(error);
  });
  await taken;
  if (!form.file || form.file.size === 0)
    throw new ApiError('BAD_FIELD', { field: 'file', message: 'is missing or empty' });
  const { source = '', ...others } = (form.body ?? {}) as { source?: unknown };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ApiError('BAD_FIELD', { field: unknown, message: 'is no field that is known here' });
  if (typeof source !== 'string') throw new ApiError('BAD_FIELD', { field: 'source', message: 'must be text' });
  return { file: form.file.buffer, source };
};
