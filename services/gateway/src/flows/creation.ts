import { formatDateTime, identityCreated } from '@assay/contracts';
import { ApiError, ok, type Reply } from '@assay/http';
import { isDuplicateKey } from '@assay/mongo';
import { type Clock, newId } from '@assay/runtime';
import { newDataKey, noticeKeyOf, sealingContext, sealJson } from '@assay/sealing';
import { businessReference } from '../domain/business-reference.ts';
import { applied, newEvent } from '../domain/change.ts';
import { creationDetails } from '../domain/creation.ts';
import { begin } from '../domain/identity.ts';
import { withMarker } from '../domain/markers.ts';
import { withOperation } from '../domain/operations.ts';
import { verificationSettings } from '../domain/settings.ts';
import { createdView } from '../domain/views.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import { PREVIOUS_PROOF } from './access.ts';
import { type Caller, clientRoleOf, isRepeat, operationOf, originOf, tenantOf } from './caller.ts';
import { sealedReply } from './marked-reply.ts';

export interface Deps {
  identities: Identities;
  keys: IdentityKeys;
  /** Version of a policy; the identity keeps the one it begins with. */
  policyVersion: (name: string) => string;
  /** Keys the hash of business ids. */
  businessKey: Buffer;
  now: Clock;
}

export type CreateIdentity = (caller: Caller, body: unknown) => Promise<Reply>;

interface MadeKey {
  dataKey: Buffer;
  /** This request has stored it. */
  isStored: boolean;
}

/**
 * The key of a new identity. A repeated request, and one that its own repetition overtook, finds
 * the key that the other made. Where the identity has ended since, the sealed reply is not stored.
 */
const keyMaker =
  ({ identities, keys }: Pick<Deps, 'identities' | 'keys'>) =>
  async ({ idempotency, seedId }: Caller, tenantId: string): Promise<MadeKey> => {
    const found = async (): Promise<MadeKey> => ({
      dataKey: (await keys.find(seedId)) ?? newDataKey(),
      isStored: false,
    });
    if (isRepeat({ idempotency }) && (await identities.find(tenantId, seedId))) return found();
    return keys.create(seedId, tenantId).then(
      (dataKey) => ({ dataKey, isStored: true }),
      (error: unknown) => {
        if (!isDuplicateKey(error) || !idempotency) throw error;
        return found();
      },
    );
  };

/**
 * Begins a transaction (endpoint 1): its key first, then one write with everything that is
 * announced of it.
 */
export const createCreation = (deps: Deps): CreateIdentity => {
  const { identities, keys, policyVersion, businessKey, now } = deps;
  const keyOf = keyMaker(deps);
  return async (caller, given) => {
    if (caller.session) throw new ApiError('WRONG_ROLE', { message: 'the token of a session is for one identity' });
    const { tenantId, effective } = tenantOf(caller);
    const identityId = caller.seedId;
    const { dataKey, isStored } = await keyOf(caller, tenantId);
    const at = now();
    const details = creationDetails(given);
    const { businessId, previousProofId } = details;
    const settings = verificationSettings(effective, policyVersion(effective.policy));
    const context = (purpose: string) => sealingContext(tenantId, identityId, purpose);
    const sealed = (purpose: string, value: unknown) => sealJson(dataKey, context(purpose), value);
    const identity = begin(
      {
        identityId,
        tenantId,
        role: caller.role,
        settings,
        lifetimeSeconds: effective.transactionLifetimeSeconds,
        ...(businessId === undefined
          ? {}
          : {
              sealedBusinessId: sealJson(noticeKeyOf(dataKey), context('business-id'), businessId),
              businessRef: businessReference(businessKey, tenantId, businessId),
            }),
        ...(previousProofId === undefined ? {} : { sealedPreviousProofId: sealed(PREVIOUS_PROOF, previousProofId) }),
      },
      at,
    );
    const created = newEvent(identityCreated, {
      creationDateTime: formatDateTime(at),
      tenantRole: clientRoleOf(caller),
      settings,
      sealedDetails: sealed('details', details),
    });
    const operation = operationOf(caller, 'POST', newId(), sealed('caller', originOf(caller)));
    const kind = { type: 'ADD' as const, contextIds: [] };
    const recorded = withOperation(identity, { set: {}, events: [created] }, operation, kind, at);
    const body = createdView(identity);
    const change = caller.idempotency
      ? withMarker(identity, recorded, {
          lockId: caller.idempotency.lockId,
          ...sealedReply({ identity, dataKey }, body),
        })
      : recorded;
    await identities.insert(applied(identity, change), change.events, { now: at }).catch(async (error: unknown) => {
      if (!isDuplicateKey(error) || !caller.idempotency) throw error;
      // Its repetition may have made the identity under this very key: only one that was stored
      // behind the end goes. What is stored while the identity is being closed goes when its
      // closing is repeated.
      const isClosed = isStored && !(await identities.notClosed([identityId])).has(identityId);
      if (isClosed) await keys.destroy({ tenantId, identityId });
    });
    return ok(body);
  };
};
