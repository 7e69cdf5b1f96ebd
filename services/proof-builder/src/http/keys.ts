import { Readable } from 'node:stream';
import { SignatureRequestSchema, SigningKeyRotationSchema } from '@assay/contracts';
import { ApiError, claimsOf, jsonBody, ok, parseBody, type Reply, reply } from '@assay/http';
import { Router } from 'express';
import type { Signer } from '../domain/signer.ts';

export interface Deps {
  signer: Signer;
}

const pem = (text: string | undefined): Reply => {
  if (text === undefined) throw new ApiError('NOT_FOUND');
  return { status: 200, stream: Readable.from([text]), headers: { 'content-type': 'application/x-pem-file' } };
};

/**
 * GET /jwks: current and former public keys. GET /signing-key.pem and /signing-certificate.pem: the
 * key that signs now. POST /signatures signs receipts and audit checkpoints. GET /signing-keys
 * lists all keys, and POST makes the next one, which signs after the overlap or at once.
 */
export const keyRoutes = ({ signer }: Deps): Router =>
  Router()
    .get(
      '/jwks',
      reply(async () => ok({ keys: await signer.publicKeys() })),
    )
    .get(
      '/signing-key.pem',
      reply(async () => pem((await signer.current()).publicPem)),
    )
    .get(
      '/signing-certificate.pem',
      reply(async () => pem((await signer.current()).certificatePem)),
    )
    .post(
      '/signatures',
      jsonBody(),
      reply(async (request) => {
        const { kind, content } = parseBody(SignatureRequestSchema, request.body);
        return { status: 201, body: await signer.sign(JSON.stringify({ ...content, kind })) };
      }),
    )
    .get(
      '/signing-keys',
      reply(async () => ok(await signer.list())),
    )
    .post(
      '/signing-keys',
      jsonBody(),
      reply(async (request) => {
        const rotation = parseBody(SigningKeyRotationSchema, request.body);
        if (!signer.rotate) throw new ApiError('STATE_CONFLICT', { message: 'another party holds the signing keys' });
        await signer.rotate(rotation, claimsOf(request).rotationId);
        return { status: 201, body: await signer.list() };
      }),
    );
