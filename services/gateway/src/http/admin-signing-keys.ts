import { SigningKeyRotationSchema, SigningKeysSchema } from '@assay/contracts';
import { ok } from '@assay/http';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import { ROLES } from '../domain/roles.ts';
import { type Route, route } from './route.ts';

interface Deps {
  proofBuilder: Pick<ProofBuilder, 'signingKeys' | 'rotateSigningKey'>;
}

const common = { tag: 'Administration', roles: ROLES.ADMINISTRATORS };
const reply = { description: 'Signing keys, newest first', schema: SigningKeysSchema };

/** The keys that sign proofs, receipts and checkpoints. No private half is ever shown. */
export const adminSigningKeyRoutes = ({ proofBuilder }: Deps): Route[] => [
  route({
    ...common,
    id: 'listSigningKeys',
    method: 'get',
    path: '/signing-keys',
    summary: 'The keys that sign proofs, and which of them signs now',
    reply,
    errors: [],
    handle: async ({ requestId }) => ok(await proofBuilder.signingKeys(requestId)),
  }),
  route({
    ...common,
    id: 'rotateSigningKey',
    audit: 'signing-key.rotate',
    method: 'post',
    path: '/signing-keys/rotations',
    summary: 'Make the next signing key; after a leak it signs at once and the others never again',
    body: { kind: 'json', schema: SigningKeyRotationSchema, mayBeAbsent: true },
    reply,
    errors: ['BAD_FIELD', 'STATE_CONFLICT', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'],
    handle: async ({ requestId, seedId, body }) => ok(await proofBuilder.rotateSigningKey(requestId, seedId, body)),
  }),
];
