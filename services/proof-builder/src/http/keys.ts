import { Readable } from 'node:stream';
import { SignatureRequestSchema } from '@assay/contracts';
import { ApiError, jsonBody, ok, parseBody, type Reply, reply } from '@assay/http';
import { Router } from 'express';
import type { Signer } from '../domain/signer.ts';

export interface Deps {
  signer: Signer;
  /** Absent where another party holds the keys. */
  rotate?: (() => Promise<void>) | undefined;
}

const pem = (text: string | undefined): Reply => {
  if (text === undefined) throw new ApiError('NOT_FOUND');
  return { status: 200, stream: Readable.from([text]), headers: { 'content-type': 'application/x-pem-file' } };
};

/**
 * GET /jwks: current and former public keys. GET /signing-key.pem and /signing-certificate.pem: the
 * key that signs now. POST /signatures signs receipts and audit checkpoints. POST /signing-keys
 * publishes the next key, which signs after the overlap.
 */
export const keyRoutes = ({ signer, rotate }: Deps): Router =>
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
    .post(
      '/signing-keys',
      reply(async () => {
        if (!rotate) throw new ApiError('STATE_CONFLICT', { message: 'another party holds the signing keys' });
        await rotate();
        return { status: 201, body: { keys: await signer.publicKeys() } };
      }),
    );
