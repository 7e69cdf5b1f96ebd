import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { ClientRole } from '@assay/contracts';
import { ApiError } from '@assay/http';
import type { Request, Response } from 'express';
import type { OperationCall } from '../domain/operations.ts';
import type { EffectiveSettings } from '../domain/settings.ts';
import type { ApiKey } from '../store/api-keys.ts';
import type { Tenant } from '../store/tenants.ts';

/** The claim of an idempotent request. */
export interface Claim {
  claimId: string;
}

/** One authenticated request: who calls, for which tenant, and what it brought. */
export interface Call {
  request: Request;
  response: Response;
  requestId: string;
  startedAt: Date;
  key: ApiKey;
  /** The key's tenant; absent for administrators. */
  tenant?: Tenant & { effective: EffectiveSettings };
  /** Id of what the request makes: the same when an idempotent request is repeated. */
  seedId: string;
  claim?: Claim;
  /** The body of an upload, where somebody reads along as it passes. */
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

export const tenantOf = ({ tenant }: Call): Tenant & { effective: EffectiveSettings } => {
  if (!tenant) throw new ApiError('WRONG_ROLE');
  return tenant;
};

/** The role as the proof names it; only the two kinds of client get here. */
export const clientRoleOf = ({ key }: Call): ClientRole =>
  key.role === 'USER_AGENT' ? 'USER_AGENT' : 'RELYING_SERVICE';

const address = (text: string | undefined): string | undefined => {
  const plain = text?.replace(/^::ffff:/, '');
  return plain !== undefined && isIP(plain) !== 0 ? plain : undefined;
};

/** Who called, for the proof: a real address only (decisions, Creation request), and the browser. */
export const callerOf = ({ request }: Call): { ip?: string; userAgent?: string } => {
  const ip = address(request.ip) ?? address(request.socket.remoteAddress);
  const userAgent = request.headers['user-agent']?.slice(0, 512);
  return { ...(ip ? { ip } : {}), ...(userAgent ? { userAgent } : {}) };
};

/** The call as the proof's processingDetails tell of it. */
export const operationOf = (
  call: Call,
  method: 'POST' | 'PUT' | 'DELETE',
  operationId: string,
  sealedCaller: string,
): OperationCall => ({
  operationId,
  requestId: call.requestId,
  role: clientRoleOf(call),
  method,
  uri: call.request.originalUrl.split('?')[0] ?? '',
  startedAt: call.startedAt,
  sealedCaller,
});
