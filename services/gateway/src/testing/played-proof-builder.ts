import { Readable } from 'node:stream';
import type { ProofRequest, TimelineItem } from '@assay/contracts';
import { ApiError, claimsOf, jsonBody, ok, reply, unavailable } from '@assay/http';
import { newId } from '@assay/runtime';
import type { Router } from 'express';

/** The requests that proof-builder received, and its answers. */
export interface AskedOfProofBuilder {
  proofs: ProofRequest[];
  /** The rotations of signing keys. Without this list, another party has the keys. */
  signingKeyRotations?: unknown[];
  /** The id of each rotation; the answer of the first is lost if this list is there before it. */
  rotationIds?: (string | undefined)[];
  /** The history of every identity. */
  history: TimelineItem[];
  /** The answers of proof-builder and evidence-intake wait for this promise. */
  hold?: Promise<void>;
  /** The archives are destroyed, as they are when their grace period is over. */
  archivesDestroyed?: boolean;
  /** This many of the next proofs are not ready. */
  proofsNotReady: number;
}

/** The routes of proof-builder that the gateway calls. */
export const playProofBuilder = (router: Router, asked: AskedOfProofBuilder): void => {
  const archives = new Map<string, Buffer>();
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
      return ok({ proofId: proof.proofId, bytes: bytes.length, filename: 'x_20260101000000000.zip' });
    }),
  );
  router.get(
    '/proofs/:proofId/archive',
    reply((request) => {
      const bytes = archives.get(String(request.params.proofId));
      if (!bytes || asked.archivesDestroyed) throw new ApiError('NOT_FOUND');
      return { status: 200, stream: Readable.from([bytes]) };
    }),
  );
  router.get(
    '/history',
    reply(() => ok({ items: asked.history })),
  );
  router.get(
    '/history/opened',
    reply(() => ok({ history: [], media: [] })),
  );
  router.post(
    '/signatures',
    jsonBody(),
    reply((request) =>
      ok({ jws: `signed.${Buffer.from(JSON.stringify(request.body)).toString('base64url')}.x`, kid: 'k' }),
    ),
  );
  router.get(
    '/signing-keys',
    reply(() => ok({ keys: [{ kid: 'k', signs: true }] })),
  );
  router.post(
    '/signing-keys',
    jsonBody(),
    reply((request) => {
      if (!asked.signingKeyRotations)
        throw new ApiError('STATE_CONFLICT', { message: 'another party holds the signing keys' });
      asked.signingKeyRotations.push(request.body);
      if (asked.rotationIds?.push(claimsOf(request).rotationId) === 1) throw unavailable();
      return {
        status: 201,
        body: {
          keys: [
            { kid: 'next', signs: false },
            { kid: 'k', signs: true },
          ],
        },
      };
    }),
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
};
