import type { AuditAct, ErrorName, KeyRole } from '@assay/contracts';
import type { Reply } from '@assay/http';
import type { Static, TSchema, TUnknown } from 'typebox';
import type { Call } from './call.ts';

/** One part of a form, for the documentation. */
interface FormPart {
  description: string;
  file?: boolean;
  repeated?: boolean;
  required?: boolean;
}

/**
 * What a request carries. `json`: checked against the schema, for clients with null as what was
 * left out, and `{}` where the body may be absent; `shown` is what the documentation shows where
 * the route checks more than the schema does; `isPassedOn` where the service behind gets the bytes
 * as they came, and checks them again; `form`: passed on as it arrives; `creation`: whatever
 * clients are known to send at creation.
 */
export type RequestBody<S extends TSchema = TSchema> =
  | {
      kind: 'json';
      schema: S;
      shown?: TSchema;
      limit?: number;
      nullIsAbsent?: boolean;
      mayBeAbsent?: boolean;
      isPassedOn?: boolean;
    }
  | { kind: 'form'; parts: Readonly<Record<string, FormPart>> }
  | { kind: 'creation'; schema: TSchema };

/** Refusals of a submission in JSON. */
export const JSON_ERRORS = [
  'BAD_FIELD',
  'CONSENT_MISSING',
  'CLOSED',
  'STATE_CONFLICT',
  'UNSUPPORTED_MEDIA_TYPE',
  'BODY_TOO_LARGE',
] as const satisfies readonly ErrorName[];

/** Refusals of an upload of images. */
export const UPLOAD_ERRORS = [
  ...JSON_ERRORS,
  'BAD_IMAGE',
  'IMAGE_TOO_LARGE',
  'TOO_MANY_PIXELS',
  'RESOLUTION_TOO_LOW',
] as const satisfies readonly ErrorName[];

/** A reply of status 200 (or the one named). */
export interface ReplyShape {
  description: string;
  status?: number;
  schema?: TSchema;
  /** Content type of a reply that is not JSON. */
  contentType?: string;
}

/** The parameters of a path in OpenAPI's form. */
type ParamOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamOf<Rest> : never;

/** A route as it is written down: the types of its call follow from path, query and body. */
interface Declared<Path extends string, Query extends string, S extends TSchema> {
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: Path;
  summary: string;
  tag: string;
  roles: readonly KeyRole[];
  query?: Readonly<Record<Query, string>>;
  body?: RequestBody<S>;
  reply: ReplyShape;
  /** Recorded in the audit log before it is done. */
  audit?: AuditAct;
  /** Its reply tells of a person: what a relying service reads leaves a line. */
  isPersonal?: true;
  /** A GET that changes something: HEAD is not answered. */
  hasEffect?: boolean;
  /** A device that handed its session over may call it. */
  forFollowers?: true;
  /** It acts on the session that asks: no other session of the identity hears its reply again. */
  ofSession?: true;
  /** Refusals beside those every route has (401, 403 wrong role, 404, 405, 429, 5xx). */
  errors: readonly ErrorName[];
  handle: (call: Call<Static<S>, ParamOf<Path>, Query>) => Promise<Reply> | Reply;
  /** The act that a repeated call is in the audit log, whose reply tells of a person again. */
  auditOfRepeat?: AuditAct;
  /**
   * What of a reply is stored for repeated calls: nothing that is deleted before the identity is.
   * `complete` reads the rest again.
   */
  storedOf?: (body: unknown) => unknown;
  /** The reply to a repeated call, from what was stored, or what a crash left of it. */
  complete?: (call: Call<Static<S>, ParamOf<Path>, Query>, reply: Reply) => Promise<Reply>;
}

/**
 * One route: what the server registers, checks roles by and validates with, and what openapi.json
 * is made of. `path` is in OpenAPI's form (`/identities/{identityId}`).
 */
export interface Route extends Omit<Declared<string, string, TSchema>, 'handle' | 'complete'> {
  handle: (call: Call) => Promise<Reply> | Reply;
  complete?: (call: Call, reply: Reply) => Promise<Reply>;
}

/**
 * Declares a route. The one cast that its types need: the server calls it only with a path that
 * matched and a body that its schema accepted.
 */
export const route = <const Path extends string, Query extends string = never, S extends TSchema = TUnknown>(
  declared: Declared<Path, Query, S>,
): Route => declared as unknown as Route;
