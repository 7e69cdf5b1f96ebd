import { Readable } from 'node:stream';
import { methodNotAllowed, ok, reply } from '@assay/http';
import { Router } from 'express';
import type { ProofBuilder } from '../clients/proof-builder.ts';

const PATHS = [
  '/.well-known/jwks.json',
  '/.well-known/signing-key.pem',
  '/.well-known/signing-certificate.pem',
  '/schemas',
  '/schemas/:name',
];

/**
 * What verifies proofs, for anyone: the keys as JWKS, the current one as PEM and as a certificate,
 * and the JSON Schemas of the archive's files.
 */
export const publishedRoutes = (proofBuilder: ProofBuilder): Router => {
  const router = Router();
  router.get(
    '/.well-known/jwks.json',
    reply(async (_request, { locals }) => ok(await proofBuilder.jwks(locals.requestId))),
  );
  for (const name of ['signing-key', 'signing-certificate'] as const)
    router.get(
      `/.well-known/${name}.pem`,
      reply(async (_request, { locals }) => ({
        status: 200,
        stream: Readable.from([await proofBuilder.pem(name, locals.requestId)]),
        headers: { 'content-type': 'application/x-pem-file' },
      })),
    );
  router.get(
    '/schemas',
    reply(async (_request, { locals }) => ok(await proofBuilder.schemas(locals.requestId))),
  );
  router.get(
    '/schemas/:name',
    reply(async ({ params }, { locals }) =>
      ok(await proofBuilder.schema(String(params.name), locals.requestId), {
        'content-type': 'application/schema+json',
      }),
    ),
  );
  // In this router: one that ends without an answer to OPTIONS has express answer 200.
  for (const path of PATHS) router.all(path, methodNotAllowed('GET', 'HEAD'));
  return router;
};
