import { ConsentSchema, ConsentsRequestSchema } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { Type } from 'typebox';
import { recordConsents, recorded, withdrawConsent } from '../domain/consents.ts';
import { ROLES } from '../domain/roles.ts';
import type { Access } from '../flows/access.ts';
import { tenantOf } from '../flows/caller.ts';
import type { Effects } from '../flows/effect.ts';
import { identityIdOf, param } from './call.ts';
import { type Route, route } from './route.ts';

/** Consents: endpoint 2, and taking one back. */
export const consentRoutes = ({ access, effects }: { access: Access; effects: Effects }): Route[] => [
  route({
    id: 'submitConsents',
    method: 'post',
    path: '/identities/{identityId}/consents',
    summary: 'Record consents',
    tag: 'Consents',
    roles: ROLES.CLIENTS,
    body: { kind: 'json', schema: ConsentsRequestSchema, nullIsAbsent: true },
    reply: { description: 'The consents as recorded', schema: Type.Array(ConsentSchema) },
    errors: ['BAD_FIELD', 'CLOSED', 'STATE_CONFLICT', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'],
    handle: async (call) => {
      const opened = await access.open(call, identityIdOf(call));
      const consents = call.body.map((consent) => recorded(consent, newId()));
      const lifetimeSeconds = tenantOf(call).effective.transactionLifetimeSeconds;
      return effects(call, opened, {
        method: 'POST',
        kind: { name: 'CONSENTS', type: 'ADD', contextIds: consents.map(({ consentId }) => consentId) },
        decide: (identity, operationId, now) =>
          recordConsents(identity, { consents, operationId, lifetimeSeconds, now }),
        body: () => consents,
      });
    },
  }),
  route({
    id: 'deleteConsent',
    method: 'delete',
    path: '/identities/{identityId}/consents/{consentId}',
    summary: 'Withdraw a consent',
    tag: 'Consents',
    roles: ROLES.CLIENTS,
    reply: { description: 'Withdrawn' },
    errors: ['CLOSED', 'STATE_CONFLICT'],
    handle: async (call) => {
      const consentId = param(call, 'consentId');
      const reply = await effects(call, await access.open(call, identityIdOf(call)), {
        method: 'DELETE',
        kind: { name: 'CONSENTS', type: 'DELETE', contextIds: [consentId] },
        decide: (identity, operationId) => withdrawConsent(identity, consentId, operationId),
        body: () => undefined,
      });
      return { status: reply.status };
    },
  }),
];
