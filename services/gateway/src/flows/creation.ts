import { formatDateTime, identityCreated } from '@assay/contracts';
import { ok, type Reply } from '@assay/http';
import { isDuplicateKey } from '@assay/mongo';
import { type Clock, newId } from '@assay/runtime';
import { sealingContext, sealJson } from '@assay/sealing';
import { applied, fact } from '../domain/change.ts';
import { creationDetails } from '../domain/creation.ts';
import { begin } from '../domain/identity.ts';
import { withMarker } from '../domain/markers.ts';
import { withOperation } from '../domain/operations.ts';
import { verificationSettings } from '../domain/settings.ts';
import { createdView } from '../domain/views.ts';
import { type Call, callerOf, clientRoleOf, operationOf, tenantOf } from '../http/call.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';

export interface CreationParts {
  identities: Identities;
  keys: IdentityKeys;
  /** Version of a policy; the identity keeps the one it begins with. */
  policyVersion: (name: string) => string;
  clock: Clock;
}

export type CreateIdentity = (call: Call) => Promise<Reply>;

/** Begins a transaction (endpoint 1): its key first, then one write with everything that is announced of it. */
export const createCreation =
  ({ identities, keys, policyVersion, clock }: CreationParts): CreateIdentity =>
  async (call) => {
    const { tenantId, effective } = tenantOf(call);
    const identityId = call.seedId;
    // Only a repeated idempotent request finds a key, or the identity, there already.
    const dataKey = (call.claim && (await keys.find(identityId))) ?? (await keys.create(identityId, tenantId));
    const now = clock();
    const details = creationDetails(call.body);
    const { businessId, previousProofId } = details;
    const settings = verificationSettings(effective, policyVersion(effective.policy));
    const identity = begin(
      {
        identityId,
        tenantId,
        role: call.key.role,
        settings,
        lifetimeSeconds: effective.transactionLifetimeSeconds,
        ...(businessId === undefined ? {} : { businessId }),
        ...(previousProofId === undefined ? {} : { previousProofId }),
      },
      now,
    );
    const sealed = (purpose: string, value: unknown) =>
      sealJson(dataKey, sealingContext(tenantId, identityId, purpose), value);
    const created = fact(identityCreated, {
      creationDateTime: formatDateTime(now),
      tenantRole: clientRoleOf(call),
      settings,
      ...(previousProofId === undefined ? {} : { previousProofId }),
      sealedDetails: sealed('details', details),
    });
    const operation = operationOf(call, 'POST', newId(), sealed('caller', callerOf(call)));
    const kind = { type: 'ADD' as const, contextIds: [] };
    const recorded = withOperation(identity, { set: {}, facts: [created] }, operation, kind, now);
    const body = createdView(identity);
    const change = call.claim
      ? withMarker(identity, recorded, { claimId: call.claim.claimId, status: 200, body })
      : recorded;
    const key = await keys.wrap(dataKey, identityId);
    await identities.insert(applied(identity, change), change.facts, { now, key }).catch((error: unknown) => {
      if (!isDuplicateKey(error) || !call.claim) throw error;
    });
    return ok(body);
  };
