import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ApiError, boundaryIn, formParser, LONGEST_BOUNDARY, readBody } from '@assay/http';
import type { RequestHandler } from 'express';
import { boundaryOf, creationJson } from '../domain/creation.ts';
import { callOf } from './call.ts';

const LIMIT = 64 * 1024;
const CONTENT_TYPE = /^(multipart\/form-data|application\/json)\s*(;|$)/i;

const acceptable: RequestHandler = (request, _response, next) => {
  const type = request.headers['content-type'];
  const fine = type === undefined || type.trim() === '' || CONTENT_TYPE.test(type.trim());
  next(
    fine
      ? undefined
      : new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'multipart/form-data or application/json is needed' }),
  );
};

/** Without U+FFFD for what is not UTF-8: a business id is sent back in every webhook. */
const textOf = (bytes: Buffer): string | undefined => (isUtf8(bytes) ? bytes.toString('utf8') : undefined);

/**
 * The parts of a form by name; the last of a name counts. What is no form gives no parts, and what
 * is no text no part.
 */
const partsOf = async (body: Buffer, boundary: string): Promise<Record<string, string> | undefined> => {
  const waiting: Promise<[string, string] | undefined>[] = [];
  const parser = formParser({
    boundary,
    limits: { parts: 50 },
    onPart: (name, bytes) => {
      const read = buffer(bytes).then((part): [string, string] | undefined => {
        const text = textOf(part);
        return text === undefined ? undefined : [name, text];
      });
      waiting.push(read.catch(() => undefined));
    },
  });
  const complete = await pipeline(Readable.from([body]), parser).then(
    () => true,
    () => false,
  );
  const parts = (await Promise.all(waiting)).filter((part) => part !== undefined);
  return complete || parts.length > 0 ? Object.fromEntries(parts) : undefined;
};

/**
 * Whatever clients are known to send at creation (specification, Creation request); what cannot be
 * understood is nothing.
 */
export const readCreationBody = async (body: Buffer, contentType: string | undefined): Promise<unknown> => {
  const json = creationJson(textOf(body) ?? '');
  if (json !== undefined) return json;
  const boundary = boundaryIn(contentType ?? '') ?? boundaryOf(body);
  return boundary === undefined || boundary.length > LONGEST_BOUNDARY ? undefined : partsOf(body, boundary);
};

export const creationBody = (): RequestHandler[] => [
  acceptable,
  (request, response, next) => {
    readBody({ request, limit: LIMIT })
      .then((bytes) => readCreationBody(bytes, request.headers['content-type']))
      .then((body) => {
        callOf(response).body = body;
        next();
      }, next);
  },
];
