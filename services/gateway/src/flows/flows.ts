import type { Policies } from '@assay/policy';
import type { Clock, Log } from '@assay/runtime';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import type { Stores } from '../store/stores.ts';
import { createAccess } from './access.ts';
import { createAdjudicationFlow } from './adjudication.ts';
import { createAuditLog } from './audit.ts';
import { createContactFlow } from './contacts.ts';
import { createCreation } from './creation.ts';
import { createEffects } from './effect.ts';
import { createGrant } from './grant.ts';
import { createLifecycle } from './lifecycle.ts';
import { createLiveCapture } from './live-capture.ts';
import { createGetReceipt } from './receipt.ts';
import { createRetrieval } from './retrieval.ts';
import { createSubmit } from './submission.ts';

export interface FlowParts {
  intake: EvidenceIntake;
  proofBuilder: ProofBuilder;
  policies: Policies;
  clock: Clock;
  log: Log;
}

export type Flows = ReturnType<typeof createFlows>;

/** Everything the gateway does with an identity, from its creation to its end. */
export const createFlows = (stores: Stores, parts: FlowParts) => {
  const adjudication = createAdjudicationFlow({ ...stores, ...parts });
  const auditLog = createAuditLog({ ...stores, ...parts });
  const lifecycle = createLifecycle({
    ...stores,
    ...parts,
    beforeClosing: ({ tenantId, identityId, reason }) =>
      auditLog.recordOfSuite(tenantId, 'identity.closed', { identityId }, { reason }),
    onClosed: ({ _id }) => adjudication.forget(_id),
  });
  const access = createAccess({ ...stores, ...parts, lifecycle });
  const effects = createEffects({ ...stores, ...parts, access });
  const shared = { ...stores, ...parts, lifecycle, access, effects, auditLog };
  const policyVersion = (name: string): string => parts.policies.named(name)?.version ?? '';
  return {
    adjudication,
    lifecycle,
    access,
    effects,
    create: createCreation({ ...shared, policyVersion }),
    submit: createSubmit(shared),
    contacts: createContactFlow(shared),
    liveCapture: createLiveCapture(shared),
    retrieve: createRetrieval(shared),
    grant: createGrant(shared),
    receipt: createGetReceipt(shared),
    auditLog,
    sweep: () => Promise.all([lifecycle.sweep(), adjudication.sweep()]),
  };
};
