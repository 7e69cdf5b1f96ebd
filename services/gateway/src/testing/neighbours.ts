import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  type EndpointHealth,
  formatDateTime,
  type InternalClaims,
  type MediaReference,
  type WebhookSettings,
} from '@assay/contracts';
import {
  ApiError,
  boundaryIn,
  claimsOf,
  createApp,
  formParser,
  jsonBody,
  listen,
  malformedForm,
  ok,
  reply,
  requireToken,
  SERVICE_NAMES,
  unavailable,
} from '@assay/http';
import { newId } from '@assay/runtime';
import { quietLog, testKeys } from '@assay/testing';
import express, { type RequestHandler, Router } from 'express';
import { type AskedOfProofBuilder, playProofBuilder } from './played-proof-builder.ts';

/** The requests that the gateway's neighbours received. */
interface Asked extends AskedOfProofBuilder {
  uploads: { claims: InternalClaims; bytes: Buffer; contentType: string }[];
  submissions: { claims: InternalClaims; body: { type: string; submission: Record<string, unknown> } }[];
  /** Requests with frames: how many began to arrive, and how many arrived completely. */
  frames: { begun: number; taken: number };
  /** Whether evidence-intake has an evidence; it has each, where this is absent. */
  isStored?: ((evidenceId: string) => boolean) | undefined;
  /** The health of endpoints, if the notifier reports it. */
  endpointsHealth?: (EndpointHealth & { tenantId: string })[];
  endpoints: (WebhookSettings | null)[];
  /** How many deliveries about one identity there are; 1 by default. */
  deliveries?: number;
  /** Of the changes that set them. */
  changeNumbers: (number | undefined)[];
  /** Of those that set one of which nobody spoke. */
  stayingAsTheyGo: (WebhookSettings | null)[];
  /** What happens before the notifier sets an endpoint. */
  beforeEndpoint?: ((webhook: WebhookSettings | null) => Promise<void>) | undefined;
  /** What the trust store lists, and the files that were imported. */
  trust?: object[];
  trustFiles?: { file: string; source: string }[];
}

const typeOf = ({ operation }: InternalClaims): string =>
  operation?.startsWith('PORTRAIT') ? (operation === 'PORTRAIT_CAPTURE' ? 'PORTRAIT' : operation) : 'ID_DOCUMENT';

const medium = (role: MediaReference['role'], bytes: number): MediaReference => ({
  mediaId: newId(),
  role,
  contentType: 'image/jpeg',
  bytes,
  sha256: '',
});

/** The body of an upload. An incomplete form is refused, as by evidence-intake. */
const wholeForm = async (request: IncomingMessage): Promise<Buffer> => {
  const bytes = await buffer(request).catch(() => Promise.reject(malformedForm()));
  const boundary = boundaryIn(request.headers['content-type'] ?? '') ?? '';
  const parser = formParser({ boundary, limits: {}, onPart: (_name, part) => void part.resume() });
  await pipeline(Readable.from([bytes]), parser).catch(() => Promise.reject(malformedForm()));
  return bytes;
};

/**
 * One server plays several services. The token names the service that is called, and must be valid
 * for that one.
 */
const calledByGateway: RequestHandler = (request, response, next) => {
  const [, payload = ''] = (request.headers.authorization ?? '').split('.');
  const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') as { aud?: string };
  const service = SERVICE_NAMES.find((name) => name === aud);
  if (!service) return next(new ApiError('UNAUTHENTICATED'));
  return requireToken(testKeys(service), ['gateway'])(request, response, next);
};

/**
 * Plays evidence-intake, proof-builder and notifier for the gateway: the same internal HTTP, with
 * tokens, on a real port.
 */
export const startNeighbours = async () => {
  const lists = { uploads: [], submissions: [], proofs: [], endpoints: [], changeNumbers: [], history: [] };
  const asked: Asked = { ...lists, stayingAsTheyGo: [], frames: { begun: 0, taken: 0 }, proofsNotReady: 0 };
  const router = Router();
  router.use(calledByGateway);
  const taken = (claims: InternalClaims, type: string) => ({
    evidenceId: claims.evidenceId,
    type,
    submitDateTime: formatDateTime(new Date()),
    media: [],
  });

  router.post(
    '/evidences/capture',
    reply(async (request) => {
      const claims = claimsOf(request);
      const bytes = await wholeForm(request);
      await asked.hold;
      if (bytes.includes('REFUSE ME')) throw new ApiError('SIDE_MISSING', { field: 'DocumentFront' });
      if (bytes.includes('FAIL ME')) throw unavailable();
      asked.uploads.push({ claims, bytes, contentType: request.headers['content-type'] ?? '' });
      return ok(taken(claims, typeOf(claims)));
    }),
  );
  router.post(
    '/evidences',
    jsonBody(),
    reply(async (request) => {
      await asked.hold;
      asked.submissions.push({ claims: claimsOf(request), body: request.body });
      return ok(taken(claimsOf(request), request.body.type));
    }),
  );
  router.post(
    '/live-sessions',
    jsonBody(),
    reply((request) =>
      ok({ ...taken(claimsOf(request), 'PORTRAIT'), sessionId: newId(), livenessParameters: { timeout: 120 } }),
    ),
  );
  router.post(
    '/live-sessions/:sessionId/frames',
    reply(async (request) => {
      asked.frames.begun += 1;
      await wholeForm(request);
      asked.frames.taken += 1;
      return ok({ ...taken(claimsOf(request), 'PORTRAIT'), frames: 1 });
    }),
  );
  router.post(
    '/live-sessions/:sessionId/end',
    reply((request) => ok({ ...taken(claimsOf(request), 'PORTRAIT'), media: [medium('PORTRAIT', 5)] })),
  );
  router.get(
    '/evidences/:evidenceId/media',
    reply(({ params }) => {
      if (asked.isStored?.(String(params.evidenceId)) === false) throw new ApiError('NOT_FOUND');
      return ok([medium('FRONT', 5), medium('BACK', 5), medium('CROP', 5)]);
    }),
  );
  router.get(
    '/media/:mediaId',
    reply(() => ({ status: 200, stream: Readable.from([Buffer.from('bytes')]) })),
  );
  playProofBuilder(router, asked);
  router.post(
    '/cases/:identityId/evaluate',
    jsonBody(),
    reply((request) => ok({ before: claimsOf(request).tenantId, after: {}, changes: [] })),
  );
  router.post(
    '/cases/:identityId/re-evaluation',
    jsonBody(),
    reply((request) => ok({ policy: { name: request.body.policy, version: '1.0' } })),
  );
  router.get(
    '/trust/:collection',
    reply(() => ok({ items: asked.trust ?? [] })),
  );
  router.post(
    '/trust/:collection',
    jsonBody(),
    reply((request) => {
      asked.trustFiles = [...(asked.trustFiles ?? []), request.body];
      return ok({ added: 1, known: 0, refused: [] });
    }),
  );
  router.post(
    '/endpoints/health',
    reply(() => {
      if (!asked.endpointsHealth) throw new ApiError('METHOD_NOT_ALLOWED');
      return ok({ items: asked.endpointsHealth });
    }),
  );
  router.put(
    '/endpoints/:tenantId',
    // `null` is a body, it removes the endpoint.
    express.json({ strict: false }),
    reply(async (request) => {
      const webhook = request.body as WebhookSettings | null;
      await asked.beforeEndpoint?.(webhook);
      if (webhook?.url.includes('10.0.0.1')) throw new ApiError('BAD_FIELD', { field: 'settings.webhook.url' });
      asked.endpoints.push(webhook);
      if (request.query.staysAsItGoes === 'true') asked.stayingAsTheyGo.push(webhook);
      asked.changeNumbers.push(claimsOf(request).changeNumber);
      return ok({});
    }),
  );
  router.get(
    '/deliveries',
    reply(({ query }) => {
      const [first, limit] = [Number(query.cursor ?? 0), Number(query.limit ?? 100)];
      const end = Math.min(first + limit, asked.deliveries ?? 1);
      const item = () => ({
        deliveryId: newId(),
        webhookId: newId(),
        identityId: String(query.identityId),
        event: 'IdentityStatusUpdate',
        state: 'DELIVERED',
        createdAt: '2002-02-02T00:00:00.000',
        attempts: [],
      });
      const items = Array.from({ length: end - first }, item);
      return ok({ items, ...(end < (asked.deliveries ?? 1) ? { cursor: String(end) } : {}) });
    }),
  );
  const app = createApp({
    service: 'neighbours',
    log: quietLog,
    routes: (served) => served.use('/internal/v1', router),
  });
  const server = await listen(app, { port: 0 });
  return { asked, url: `http://127.0.0.1:${server.port}`, close: () => server.close() };
};
