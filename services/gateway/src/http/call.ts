import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { ApiError } from '@assay/http';
import type { Request, Response } from 'express';
import type { Caller } from '../flows/caller.ts';

/** One authenticated request: who calls, and what came with it. */
export interface Call extends Caller {
  request: Request;
  response: Response;
  /** The body of an upload, where it is read along as it passes. */
  upload?: Readable;
  body: unknown;
}

/** The body of an upload as it arrives. */
export const uploadOf = ({ upload, request }: Call): Readable => upload ?? request;

declare global {
  namespace Express {
    interface Locals {
      call?: Call;
    }
  }
}

export const callOf = (response: Response): Call => {
  const { call } = response.locals;
  if (!call) throw new ApiError('UNAUTHENTICATED');
  return call;
};

/** A parameter of the path. */
export const param = ({ request }: Call, name: string): string => {
  const value = request.params[name];
  return typeof value === 'string' ? value : '';
};

/** A parameter of the query given once; undefined otherwise. */
export const query = ({ request }: Call, name: string): string | undefined => {
  const value = request.query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const identityIdOf = (call: Call): string => param(call, 'identityId');

const address = (text: string | undefined): string | undefined => {
  const plain = text?.replace(/^::ffff:/, '');
  return plain !== undefined && isIP(plain) !== 0 ? plain : undefined;
};

/**
 * Where a request comes from, for the proof: a real address only (specification, Creation request),
 * and the browser.
 */
export const sourceOf = (request: Request): { ip?: string; userAgent?: string } => {
  const ip = address(request.ip) ?? address(request.socket.remoteAddress);
  const userAgent = request.headers['user-agent']?.slice(0, 512);
  return { ...(ip ? { ip } : {}), ...(userAgent ? { userAgent } : {}) };
};
