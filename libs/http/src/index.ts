/** HTTP as the services speak it: applications, replies, refusals, internal calls. */
export { type AppOptions, createApp, type Listening, listen, methodNotAllowed } from './app.ts';
export { bodyErrors, jsonBody, parseBody } from './body.ts';
export { ApiError, type ApiErrorOptions, badFields, problemOf, unavailable } from './errors.ts';
export {
  type CallClaims,
  createInternalClient,
  type InternalClient,
  type InternalClientOptions,
  transportKeyFetcher,
} from './internal-client.ts';
export { ok, type Reply, reply } from './reply.ts';
export { claimsOf, requireToken, signToken } from './token.ts';
