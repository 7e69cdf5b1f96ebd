import type { Policies } from '@assay/policy';
import type { Clock, Log } from '@assay/runtime';
import type { DoctorClient } from '../clients/doctor.ts';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import type { Notifier } from '../clients/notifier.ts';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import type { Stores } from '../store/stores.ts';
import { createAccess } from './access.ts';
import { createAdjudicationFlow } from './adjudication.ts';
import { createAuditLog } from './audit.ts';
import { createCaseNotices } from './case-notices.ts';
import { createContactFlow } from './contacts.ts';
import { createCreation } from './creation.ts';
import { createDoctor } from './doctor.ts';
import { createEffects } from './effect.ts';
import { createGrant } from './grant.ts';
import { createIdentityRecords } from './identity-records.ts';
import { createLifecycle } from './lifecycle.ts';
import { createLiveCapture } from './live-capture.ts';
import { createMasterKeyFlow } from './master-keys.ts';
import { createReadLog } from './read-log.ts';
import { createGetReceipt } from './receipt.ts';
import { createRetrieval } from './retrieval.ts';
import { createSignInFlow, type SignInRules } from './sign-in.ts';
import { createSubmit } from './submission.ts';
import { createUserAgentSessionFlow } from './user-agent-sessions.ts';

export interface FlowDeps {
  intake: EvidenceIntake;
  proofBuilder: ProofBuilder;
  notifier: Notifier;
  doctor: DoctorClient;
  policies: Policies;
  /** Sign-in by OpenID Connect; only keys where it is absent. */
  signIn?: SignInRules | undefined;
  /** Address of the gateway as its clients see it; that of each request where it is absent. */
  publicUrl?: string | undefined;
  now: Clock;
  log: Log;
}

export type Flows = ReturnType<typeof createFlows>;

/** Everything the gateway does with an identity, from its creation to its end. */
export const createFlows = (stores: Stores, deps: FlowDeps) => {
  const auditLog = createAuditLog({ ...stores, ...deps });
  const adjudication = createAdjudicationFlow({ ...stores, ...deps, auditLog });
  const lifecycle = createLifecycle({
    ...stores,
    ...deps,
    beforeClosing: ({ tenantId, identityId, reason }) =>
      auditLog.recordOfSuite(tenantId, {
        act: 'identity.closed',
        subject: { identityId },
        details: { reason },
        once: `closed ${identityId}`,
      }),
    purge: async (identityId) => {
      await stores.userAgentSessions.deleteOfIdentity(identityId);
      await adjudication.forget(identityId, 'IDENTITY_CLOSED');
    },
  });
  const access = createAccess({ ...stores, ...deps, lifecycle });
  const effects = createEffects({ ...stores, ...deps, access });
  const shared = { ...stores, ...deps, lifecycle, access, effects, auditLog };
  const masterKeyFlow = createMasterKeyFlow(shared);
  const signInFlow = createSignInFlow(shared);
  const policyVersion = (name: string): string => deps.policies.named(name)?.version ?? '';
  return {
    adjudication,
    caseNotices: createCaseNotices({ ...stores, ...deps }),
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
    records: createIdentityRecords(shared),
    sessions: createUserAgentSessionFlow(shared),
    signInFlow,
    auditLog,
    readLog: createReadLog(shared),
    examineSuite: createDoctor({ ...shared, masterKeyFlow, signInFlow }),
    masterKeyFlow,
  };
};
