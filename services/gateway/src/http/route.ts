import type { ErrorName, KeyRole } from '@assay/contracts';
import type { Reply } from '@assay/http';
import type { TSchema } from 'typebox';
import type { AuditAct } from '../domain/audit.ts';
import type { Call } from './call.ts';

/** One part of a form, for the documentation. */
export interface FormPart {
  description: string;
  file?: boolean;
  repeated?: boolean;
  required?: boolean;
}

/**
 * What a request carries. `json`: checked against the schema, for clients with null as what was left out; `form`: passed on as it arrives; `creation`: whatever clients are known to send at
 * creation.
 */
export type RequestBody =
  | { kind: 'json'; schema: TSchema; limit?: number; nullIsAbsent?: boolean }
  | { kind: 'form'; parts: Readonly<Record<string, FormPart>> }
  | { kind: 'creation'; schema: TSchema };

/** A reply of status 200 (or the one named). */
export interface ReplyShape {
  description: string;
  status?: number;
  schema?: TSchema;
  /** Content type of a reply that is not JSON. */
  contentType?: string;
}

/**
 * One route: what the server registers, checks roles by and validates with, and what openapi.json is made of. `path` is in OpenAPI's form
 * (`/identities/{identityId}`).
 */
export interface Route {
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  summary: string;
  tag: string;
  roles: readonly KeyRole[];
  query?: Readonly<Record<string, string>>;
  body?: RequestBody;
  reply: ReplyShape;
  /** Recorded in the audit log before it is done. */
  audit?: AuditAct;
  /** Refusals beside those every route has (401, 403 wrong role, 404, 405, 429, 5xx). */
  errors: readonly ErrorName[];
  handle: (call: Call) => Promise<Reply> | Reply;
}
