import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { ApiError } from '@assay/http';
import type { Request, Response } from 'express';
import type { Caller } from '../flows/caller.ts';

/** What a request has under each of these names. */
type Named<Name extends string, Value> = { [K in Name]: Value };

/**
 * One authenticated request: who calls, and what came with it. Its types are those its route
 * declares: the body by the schema, the parameters by the path, and the query.
 */
export interface Call<Body = unknown, Param extends string = string, Query extends string = string> extends Caller {
  request: Request<Named<Param, string | string[]>, unknown, unknown, Named<Query, Request['query'][string]>>;
  response: Response;
  /** The body of an upload, where it is read along as it passes. */
  upload?: Readable;
  body: Body;
}

/** A call of any route whose path has these parameters, and whose query takes these. */
export type CallOf<Param extends string, Query extends string = never> = Call<unknown, Param, Query>;

/** The body of an upload as it arrives. */
export const uploadOf = ({ upload, request }: CallOf<never>): Readable => upload ?? request;

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
export const param = <Param extends string>({ request }: CallOf<Param>, name: NoInfer<Param>): string => {
  const value: unknown = request.params[name];
  return typeof value === 'string' ? value : '';
};

/**
 * A parameter of the query; undefined where it was not given, or is empty.
 * @throws BAD_FIELD where it was given twice: to choose one would show, or remove, what was not
 *   asked for
 */
export const query = <Query extends string>(
  { request }: CallOf<never, Query>,
  name: NoInfer<Query>,
): string | undefined => {
  const value: unknown = request.query[name];
  if (value !== undefined && typeof value !== 'string')
    throw new ApiError('BAD_FIELD', { field: name, message: 'must be given once' });
  return value === '' ? undefined : value;
};

/**
 * A parameter of the query that is one of these values; undefined where it was not given.
 * @throws BAD_FIELD for any other
 */
export const queryOneOf = <Query extends string, const Value extends string>(
  call: CallOf<never, Query>,
  name: NoInfer<Query>,
  values: readonly Value[],
): Value | undefined => {
  const given = query(call, name);
  const found = values.find((each) => each === given);
  if (given !== undefined && found === undefined)
    throw new ApiError('BAD_FIELD', { field: name, message: `must be one of ${values.join(', ')}` });
  return found;
};

export const identityIdOf = (call: CallOf<'identityId'>): string => param(call, 'identityId');

const address = (text: string | undefined): string | undefined => {
  const plain = text?.replace(/^::ffff:/, '');
  return plain !== undefined && isIP(plain) !== 0 ? plain : undefined;
};

/**
 * Address of the gateway as its clients see it: the one that is configured, else that of the
 * request. What a proxy names as the scheme may be anything.
 */
export const baseOf = ({ secure, headers }: Request, publicUrl: string | undefined): string =>
  publicUrl?.replace(/\/+$/, '') ?? `${secure ? 'https' : 'http'}://${headers.host ?? 'localhost'}`;

/**
 * Where a request comes from, for the proof: a real address only (specification, Creation request),
 * and the browser.
 */
export const sourceOf = (request: Request): { ip?: string; userAgent?: string } => {
  const ip = address(request.ip) ?? address(request.socket.remoteAddress);
  const userAgent = request.headers['user-agent']?.slice(0, 512);
  return { ...(ip ? { ip } : {}), ...(userAgent ? { userAgent } : {}) };
};
