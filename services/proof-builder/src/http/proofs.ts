import { ProofRequestSchema } from '@assay/contracts';
import { ApiError, claimsOf, jsonBody, parseBody, reply } from '@assay/http';
import type { Blobs } from '@assay/mongo';
import { openStream, unwrapKey } from '@assay/sealing';
import { type Request, Router } from 'express';
import type { BuildProof } from '../archive/build-proof.ts';
import { archiveContext } from '../archive/store-archive.ts';
import type { ArchiveKeys } from '../store/archive-keys.ts';
import type { Proofs } from '../store/proofs.ts';

export interface ProofRoutesNeeds {
  buildProof: BuildProof;
  proofs: Proofs;
  archives: Blobs;
  archiveKeys: ArchiveKeys;
  masterKey: Buffer;
}

const BODY_LIMIT = 4 * 1024 * 1024;

/**
 * POST /proofs builds a proof, or answers what was built under this id before: 201 {proofId, bytes, filename}, 503/5031 while the history
 * lacks what the gateway knows. GET /proofs/:proofId/archive streams the ZIP until the grace period ends; then 404.
 */
export const proofRoutes = ({ buildProof, proofs, archives, archiveKeys, masterKey }: ProofRoutesNeeds): Router => {
  const openArchive = async (request: Request) => {
    const { tenantId, identityId } = claimsOf(request);
    const proof = await proofs.find(String(request.params.proofId));
    const ours = proof?.tenantId === tenantId && proof.identityId === identityId;
    const wrapped = ours && proof.ready ? await archiveKeys.find(proof.ready.fileId) : undefined;
    if (!proof?.ready || !wrapped) throw new ApiError('NOT_FOUND');
    const { fileId, bytes, filename } = proof.ready;
    const key = unwrapKey(masterKey, wrapped, archiveContext(proof._id));
    const stored = archives.read(fileId);
    const opened = openStream(key, archiveContext(proof._id));
    stored.once('error', (error) => opened.destroy(error));
    opened.once('close', () => stored.destroy());
    return {
      status: 200,
      stream: stored.pipe(opened),
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
    .get('/proofs/:proofId/archive', reply(openArchive));
};
