import { type Static, Type } from 'typebox';
import { CLIENT_ROLES } from '../vocabulary.ts';
import { Exact, OneOf, ProofDateTime } from './building-blocks.ts';

const opt = Type.Optional;
const str = Type.String();
const strings = Type.Array(str);

export const MediaSchema = Exact({ hash: Type.String({ pattern: '^[0-9a-f]{64}$' }), id: str, path: str });
export type ProofMedia = Static<typeof MediaSchema>;

/**
 * proof.json: names every other file of the archive, its hash, and the signature over all of it.
 */
export const ProofSchema = Exact({
  version: str,
  proofId: str,
  identityId: str,
  tenantId: str,
  tenantRole: OneOf(CLIENT_ROLES),
  tenantUsed: opt(str),
  transactionId: opt(str),
  previousProofId: opt(str),
  componentVersion: str,
  startDateTime: ProofDateTime,
  endDateTime: ProofDateTime,
  ips: opt(strings),
  hashes: Exact({
    identityDetails: str,
    verificationAndEvaluationDetails: str,
    images: opt(Type.Array(MediaSchema)),
    videos: opt(Type.Array(MediaSchema)),
    additionalFiles: opt(Type.Array(MediaSchema)),
  }),
  signature: str,
});
export type Proof = Static<typeof ProofSchema>;
