import { GlobalStatusSchema, IdentityCreatedSchema, IdentitySchema, IdentityStatusReplySchema } from '@assay/contracts';
import { ApiError, ok } from '@assay/http';
import type { Log } from '@assay/runtime';
import { Type } from 'typebox';
import { CLOSING_REASONS } from '../domain/identity.ts';
import { ROLES } from '../domain/roles.ts';
import { resume, whyNotReadable } from '../domain/transaction.ts';
import { globalStatusView, identityView, statusReply } from '../domain/views.ts';
import type { Access } from '../flows/access.ts';
import { tenantOf } from '../flows/caller.ts';
import type { CreateIdentity } from '../flows/creation.ts';
import type { Effects } from '../flows/effect.ts';
import type { Lifecycle } from '../flows/lifecycle.ts';
import type { GetReceipt } from '../flows/receipt.ts';
import type { RetrieveProof } from '../flows/retrieval.ts';
import { identityIdOf } from './call.ts';
import { sendProof } from './proof.ts';
import { type Route, route } from './route.ts';

export interface IdentityDeps {
  access: Access;
  effects: Effects;
  lifecycle: Lifecycle;
  create: CreateIdentity;
  retrieve: RetrieveProof;
  receipt: GetReceipt;
  log: Log;
}

const text = Type.Optional(Type.String());
/** What creation understands; everything else is ignored. */
const CreationRequestSchema = Type.Object({
  context: Type.Optional(Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))),
  businessId: text,
  email: text,
  mobile: text,
  landline: text,
  language: text,
  username: text,
});

const ReceiptSchema = Type.Object({
  identityId: Type.String(),
  tenantId: Type.String(),
  reason: Type.Enum([...CLOSING_REASONS]),
  createdAt: Type.String(),
  closedAt: Type.String(),
  keyDestroyed: Type.Boolean(),
  proofId: text,
  receipt: Type.Object({ jws: Type.String(), kid: Type.String() }),
});

/** The identity itself: endpoints 1, 8 and 9, its status, deletion, and going on after a pause. */
export const identityRoutes = ({
  access,
  effects,
  lifecycle,
  create,
  retrieve,
  receipt,
  log,
}: IdentityDeps): Route[] => [
  route({
    id: 'createIdentity',
    method: 'post',
    path: '/identities',
    summary: 'Create an identity',
    tag: 'Identities',
    roles: ROLES.CLIENTS,
    body: { kind: 'creation', schema: CreationRequestSchema },
    reply: { description: 'The identity, expecting input', schema: IdentityCreatedSchema },
    errors: ['UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'],
    handle: (call) => create(call, call.body),
  }),
  route({
    id: 'getIdentity',
    isPersonal: true,
    method: 'get',
    path: '/identities/{identityId}',
    summary: 'Retrieve an identity; a user agent sees a reduced evidenceStatus',
    tag: 'Identities',
    roles: ROLES.CLIENTS,
    query: { detailed: 'accepted; the reply is the same' },
    reply: { description: 'The identity in full', schema: IdentitySchema },
    errors: ['CLOSED'],
    handle: async (call) => {
      const opened = await access.openInForce(call, identityIdOf(call));
      return ok(identityView(opened.identity, call.role, access.dataOf(opened)));
    },
  }),
  route({
    id: 'deleteIdentity',
    audit: 'identity.delete',
    method: 'delete',
    path: '/identities/{identityId}',
    summary: 'Delete an identity and everything gathered for it',
    tag: 'Identities',
    roles: ROLES.RELYING_SERVICE,
    reply: { description: 'Closed; from now on 410' },
    errors: ['CLOSED'],
    handle: async (call) => {
      // Its key is not asked for: what is erased can be erased while the key service is away.
      const identity = await access.find(call, identityIdOf(call));
      if (whyNotReadable(identity)) throw new ApiError('CLOSED');
      await lifecycle.closeNow(identity, 'DELETED');
      return { status: 200 };
    },
  }),
  route({
    id: 'getIdentityStatus',
    method: 'get',
    path: '/identities/{identityId}/status',
    summary: 'Status of the identity and of each evidence',
    tag: 'Identities',
    roles: ROLES.CLIENTS,
    reply: { description: 'The statuses', schema: IdentityStatusReplySchema },
    errors: ['CLOSED'],
    handle: async (call) => ok(statusReply(await access.read(call, identityIdOf(call)))),
  }),
  route({
    id: 'resumeIdentity',
    method: 'post',
    path: '/identities/{identityId}/resume',
    summary: 'Resume a paused identity',
    tag: 'Identities',
    roles: ROLES.RELYING_SERVICE,
    reply: { description: 'The identity, open again', schema: GlobalStatusSchema },
    errors: ['CLOSED', 'STATE_CONFLICT'],
    handle: async (call) => {
      const { transactionLifetimeSeconds } = tenantOf(call).effective;
      return effects(call, await access.open(call, identityIdOf(call)), {
        method: 'POST',
        kind: { type: 'ADD', contextIds: [] },
        decide: (identity, _operationId, now) => resume(identity, transactionLifetimeSeconds, now),
        body: globalStatusView,
      });
    },
  }),
  route({
    id: 'getProof',
    method: 'get',
    path: '/identities/{identityId}/proof',
    summary: 'Retrieve the proof archive; ends the session',
    tag: 'Identities',
    roles: ROLES.RELYING_SERVICE,
    reply: { description: 'A ZIP archive in a MIME multipart envelope', contentType: 'multipart/form-data' },
    errors: ['CLOSED', 'STATE_CONFLICT', 'PROOF_WHILE_PROCESSING', 'PROOF_NOT_READY'],
    hasEffect: true,
    handle: sendProof({ retrieve, log }),
  }),
  route({
    id: 'getDeletionReceipt',
    method: 'get',
    path: '/identities/{identityId}/deletion-receipt',
    summary: 'Signed receipt of the deletion of a closed identity, as long as its tombstone is kept',
    tag: 'Identities',
    roles: ROLES.RELYING_SERVICE,
    reply: { description: 'The receipt; its JWS verifies with the published keys', schema: ReceiptSchema },
    errors: ['STATE_CONFLICT'],
    hasEffect: true,
    handle: (call) => receipt(call, identityIdOf(call)),
  }),
];
