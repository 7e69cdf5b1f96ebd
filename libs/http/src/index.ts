/** HTTP as the services speak it: applications, replies, refusals, internal calls. */

export { SERVICE_NAMES, type ServiceName } from '@assay/contracts';
export { type AppOptions, createApp, methodNotAllowed, securityHeaders } from './app.ts';
export { bodyErrors, formTypeOf, jsonBody, LONGEST_BOUNDARY, parseBody, readBody, sentJsonOf } from './body.ts';
export { boundaryIn, formTypeWith } from './content-type.ts';
export { createDoctorRoute, createExamination } from './doctor.ts';
export { ApiError, type ApiErrorOptions, badFields, isRefusal, problemOf, unavailable } from './errors.ts';
export {
  type AskCodeKey,
  type AskGrant,
  createAskCodeKey,
  createAskGrant,
  identityKeyring,
  noticeKeyring,
} from './gateway-client.ts';
export {
  type CallClaims,
  createInternalClient,
  type InternalClient,
  type InternalClientOptions,
} from './internal-client.ts';
export { type InternalKeys, readInternalKeys } from './internal-keys.ts';
export { unwrapFrom, wrapFor } from './key-wrapping.ts';
export { identityOf, type Listening, listen } from './listen.ts';
export { withoutPadding } from './padding.ts';
export { ok, type Reply, reply } from './reply.ts';
export { createShares, type Shares } from './shares.ts';
export { type FormParser, formParser, guarded, malformedForm, passThrough } from './streams.ts';
export { claimsOf, requireToken, signToken } from './token.ts';
