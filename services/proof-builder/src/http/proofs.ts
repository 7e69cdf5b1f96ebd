import { ProofRequestSchema } from '@assay/contracts';
import { ApiError, claimsOf, jsonBody, parseBody, reply } from '@assay/http';
import type { Clock } from '@assay/runtime';
import { type Request, Router } from 'express';
import type { BuildProof } from '../flows/build-proof.ts';
import type { OpenArchive } from '../flows/open-archive.ts';
import type { Proofs } from '../store/proofs.ts';

export interface Deps {
  buildProof: BuildProof;
  proofs: Proofs;
  openArchive: OpenArchive;
  now: Clock;
}

const BODY_LIMIT = 4 * 1024 * 1024;

/**
 * POST /proofs builds a proof, or answers what was built under this id before: 201 {proofId, bytes,
 * filename}, 503/5031 while the history lacks what the gateway knows. GET /proofs/:proofId/archive
 * streams the ZIP until the grace period ends; then 404.
 */
export const proofRoutes = ({ buildProof, proofs, openArchive, now }: Deps): Router => {
  const archive = async (request: Request) => {
    const { service: _, ...claims } = claimsOf(request);
    const { tenantId, identityId } = claims;
    const proof = await proofs.find(String(request.params.proofId));
    const ours = proof?.tenantId === tenantId && proof.identityId === identityId;
    // Before it is opened: what is kept cannot end while it is sent.
    if (ours) await proofs.keep(proof, now());
    const stream = ours && proof.ready ? await openArchive(proof._id, proof.ready, claims) : undefined;
    if (!proof?.ready || !stream) throw new ApiError('NOT_FOUND');
    const { bytes, filename } = proof.ready;
    return {
      status: 200,
      stream,
      headers: {
        'content-type': 'application/zip',
        'content-length': String(bytes),
        'content-disposition': `attachment; filename="${filename}"`,
      },
    };
  };

  return Router()
    .post(
      '/proofs',
      jsonBody({ limit: BODY_LIMIT }),
      reply(async (request) => {
        const proof = parseBody(ProofRequestSchema, request.body);
        const { service: _, ...claims } = claimsOf(request);
        if (!claims.key || proof.identity.globalStatus.id !== claims.identityId) throw new ApiError('WRONG_ROLE');
        return { status: 201, body: await buildProof(proof, claims) };
      }),
    )
    .get('/proofs/:proofId/archive', reply(archive));
};
