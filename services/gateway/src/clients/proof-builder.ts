import type { Readable } from 'node:stream';
import type { ProofReady, ProofRequest, SignatureReply, SignatureRequest } from '@assay/contracts';
import type { CallClaims, InternalClient } from '@assay/http';

export type ProofBuilder = ReturnType<typeof createProofBuilder>;

const suite = (requestId: string): CallClaims => ({ tenantId: 'suite', identityId: 'suite', requestId });

/** Builds, signs and keeps the archives. */
export const createProofBuilder = (client: InternalClient) => ({
  /** Resolves once the archive is complete; 503 when the history it needs has not arrived yet. Repeating it with one proofId gives the same archive. */
  build: (claims: CallClaims, request: ProofRequest): Promise<ProofReady> =>
    client.postJson<ProofReady>('/internal/v1/proofs', claims, request),

  archive: async (claims: CallClaims, proofId: string): Promise<Readable> =>
    (await client.getStream(`/internal/v1/proofs/${encodeURIComponent(proofId)}/archive`, claims)).stream,

  /** Signs a receipt or an audit checkpoint. */
  sign: (request: SignatureRequest): Promise<SignatureReply> =>
    client.postJson<SignatureReply>('/internal/v1/signatures', suite('signature'), request),

  jwks: (requestId: string): Promise<unknown> => client.getJson('/internal/v1/jwks', suite(requestId)),

  pem: async (name: 'signing-key' | 'signing-certificate', requestId: string): Promise<Buffer> =>
    (await client.getBytes(`/internal/v1/${name}.pem`, suite(requestId))).bytes,

  /** Names of the JSON Schemas of the archive's files. */
  schemas: (requestId: string): Promise<unknown> => client.getJson('/internal/v1/schemas', suite(requestId)),

  schema: (name: string, requestId: string): Promise<unknown> =>
    client.getJson(`/internal/v1/schemas/${encodeURIComponent(name)}`, suite(requestId)),
});
