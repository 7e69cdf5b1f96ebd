import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  formatDateTime,
  type InternalClaims,
  type MediaReference,
  type ProofRequest,
  type WebhookSettings,
} from '@assay/contracts';
import { ApiError, claimsOf, createApp, jsonBody, listen, ok, reply, requireToken, unavailable } from '@assay/http';
import { newId } from '@assay/runtime';
import { quietLog } from '@assay/testing';
import { Router } from 'express';

/** What the gateway's neighbours were asked. */
export interface Asked {
  uploads: { claims: InternalClaims; bytes: Buffer; contentType: string }[];
  submissions: { claims: InternalClaims; body: { type: string; submission: Record<string, unknown> } }[];
  proofs: ProofRequest[];
  endpoints: (WebhookSettings | null)[];
  /** Answers the next calls to intake and proof-builder are held back until this resolves. */
  hold?: Promise<void>;
  /** The next proofs are not ready. */
  proofsNotReady: number;
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

/** evidence-intake, proof-builder and notifier as the gateway sees them: the same internal HTTP, with tokens, over a real port. */
export const startNeighbours = async (secret: string) => {
  const asked: Asked = { uploads: [], submissions: [], proofs: [], endpoints: [], proofsNotReady: 0 };
  const archives = new Map<string, Buffer>();
  const router = Router();
  router.use(requireToken(secret));
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
      const bytes = await buffer(request);
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
      await buffer(request);
      return ok({ ...taken(claimsOf(request), 'PORTRAIT'), frames: 1 });
    }),
  );
  router.post(
    '/live-sessions/:sessionId/end',
    reply((request) => ok({ ...taken(claimsOf(request), 'PORTRAIT'), media: [medium('PORTRAIT', 5)] })),
  );
  router.get(
    '/evidences/:evidenceId/media',
    reply(() => ok([medium('FRONT', 5), medium('BACK', 5), medium('CROP', 5)])),
  );
  router.get(
    '/media/:mediaId',
    reply(() => ({ status: 200, stream: Readable.from([Buffer.from('bytes')]) })),
  );
  router.post(
    '/proofs',
    jsonBody({ limit: 1e6 }),
    reply(async (request) => {
      await asked.hold;
      if (asked.proofsNotReady > 0) {
        asked.proofsNotReady -= 1;
        throw new ApiError('PROOF_NOT_READY');
      }
      const proof = request.body as ProofRequest;
      asked.proofs.push(proof);
      const bytes = Buffer.concat([Buffer.from(`archive ${proof.proofId} `), Buffer.alloc(300_000, newId())]);
      archives.set(proof.proofId, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return ok({ proofId: proof.proofId, bytes: bytes.length, sha256, filename: 'x_20260101000000000.zip' });
    }),
  );
  router.get(
    '/proofs/:proofId/archive',
    reply((request) => {
      const bytes = archives.get(String(request.params.proofId));
      if (!bytes) throw new ApiError('NOT_FOUND');
      return { status: 200, stream: Readable.from([bytes]) };
    }),
  );
  router.post(
    '/signatures',
    jsonBody(),
    reply((request) =>
      ok({ jws: `signed.${Buffer.from(JSON.stringify(request.body)).toString('base64url')}.x`, kid: 'k' }),
    ),
  );
  router.get(
    '/jwks',
    reply(() => ok({ keys: [{ kty: 'RSA' }] })),
  );
  router.get(
    '/:name.pem',
    reply(({ params }) => ({ status: 200, stream: Readable.from([`PEM of ${params.name}`]) })),
  );
  router.get(
    '/schemas',
    reply(() => ok({ items: ['proof.schema.json'] })),
  );
  router.get(
    '/schemas/:name',
    reply(({ params }) => {
      if (params.name !== 'proof.schema.json') throw new ApiError('NOT_FOUND');
      return ok({ title: params.name });
    }),
  );
  router.put(
    '/endpoints/:tenantId',
    jsonBody(),
    reply((request) => {
      const webhook = request.body as WebhookSettings | null;
      if (webhook?.url.includes('10.0.0.1')) throw new ApiError('BAD_FIELD', { field: 'settings.webhook.url' });
      asked.endpoints.push(webhook);
      return ok({});
    }),
  );
  router.get(
    '/deliveries',
    reply(() => ok({ items: [] })),
  );
  const app = createApp({
    service: 'neighbours',
    log: quietLog,
    routes: (express) => express.use('/internal/v1', router),
  });
  const server = await listen(app, { port: 0 });
  return { asked, url: `http://127.0.0.1:${server.port}`, close: () => server.close() };
};
