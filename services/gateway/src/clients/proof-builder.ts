import type { Readable } from 'node:stream';
import {
  type MediaReference,
  MediaReferenceSchema,
  type ProofReady,
  ProofReadySchema,
  type ProofRequest,
  type SignatureReply,
  SignatureReplySchema,
  type SignatureRequest,
  type SigningKeyRotation,
  type SigningKeysReply,
  SigningKeysSchema,
  type TimelineItem,
  TimelineItemSchema,
} from '@assay/contracts';
import type { CallClaims, InternalClient } from '@assay/http';
import { Type } from 'typebox';

const HistoryReplySchema = Type.Object({ items: Type.Array(TimelineItemSchema) });
const OpenedHistoryReplySchema = Type.Object({
  history: Type.Array(Type.Unknown()),
  media: Type.Array(MediaReferenceSchema),
});

export type ProofBuilder = ReturnType<typeof createProofBuilder>;

const suite = (requestId: string): CallClaims => ({ tenantId: 'suite', identityId: 'suite', requestId });

/**
 * Builds, signs and keeps the archives. `patient` waits as long as an archive or a new key may
 * take; what others ask of `client` is answered at once, or not at all: who verifies a proof does
 * not wait for a process that hangs.
 */
export const createProofBuilder = (client: InternalClient, patient: InternalClient) => ({
  /**
   * Resolves once the archive is complete; 503 when the history it needs has not arrived yet.
   * Repeating it with one proofId gives the same archive.
   */
  build: (claims: CallClaims, request: ProofRequest): Promise<ProofReady> =>
    patient.postJson('/internal/v1/proofs', claims, request, ProofReadySchema),

  archive: async (claims: CallClaims, proofId: string): Promise<Readable> =>
    (await patient.getStream(`/internal/v1/proofs/${encodeURIComponent(proofId)}/archive`, claims)).stream,

  /** What happened to an identity, without anything personal. */
  history: async (claims: CallClaims): Promise<TimelineItem[]> =>
    (await client.getJson('/internal/v1/history', claims, HistoryReplySchema)).items,

  /** The same as it is stored, opened with the key of the claims. */
  openedHistory: (claims: CallClaims): Promise<{ history: unknown[]; media: MediaReference[] }> =>
    patient.getJson('/internal/v1/history/opened', claims, OpenedHistoryReplySchema),

  /** Signs a receipt or an audit checkpoint. */
  sign: (request: SignatureRequest): Promise<SignatureReply> =>
    client.postJson('/internal/v1/signatures', suite('signature'), request, SignatureReplySchema),

  signingKeys: (requestId: string): Promise<SigningKeysReply> =>
    client.getJson('/internal/v1/signing-keys', suite(requestId), SigningKeysSchema),

  /**
   * Makes the next signing key, one for each rotation however often it is asked for; 409 where
   * another party holds the keys.
   */
  rotateSigningKey: (requestId: string, rotationId: string, rotation: SigningKeyRotation): Promise<SigningKeysReply> =>
    patient.postJson('/internal/v1/signing-keys', { ...suite(requestId), rotationId }, rotation, SigningKeysSchema),

  jwks: (requestId: string): Promise<unknown> => client.getJson('/internal/v1/jwks', suite(requestId)),

  pem: async (name: 'signing-key' | 'signing-certificate', requestId: string): Promise<Buffer> =>
    (await client.getBytes(`/internal/v1/${name}.pem`, suite(requestId))).bytes,

  /** Names of the JSON Schemas of the archive's files. */
  schemas: (requestId: string): Promise<unknown> => client.getJson('/internal/v1/schemas', suite(requestId)),

  schema: (name: string, requestId: string): Promise<unknown> =>
    client.getJson(`/internal/v1/schemas/${encodeURIComponent(name)}`, suite(requestId)),
});
