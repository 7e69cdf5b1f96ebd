import type { Policies } from '@assay/policy';
import { adminAuditRoutes } from './admin-audit.ts';
import { adminDeadLetterRoutes } from './admin-dead-letters.ts';
import { adminDeliveryRoutes } from './admin-deliveries.ts';
import { adminDoctorRoutes } from './admin-doctor.ts';
import { type AdminIdentityDeps, adminIdentityRoutes } from './admin-identities.ts';
import { adminKeyRoutes } from './admin-keys.ts';
import { adminMasterKeyRoutes } from './admin-master-keys.ts';
import { adminSigningKeyRoutes } from './admin-signing-keys.ts';
import { type AdminTenantDeps, adminTenantRoutes } from './admin-tenants.ts';
import { adminTrustRoutes } from './admin-trust.ts';
import { captureRoutes } from './captures.ts';
import { adminCaseEvaluation, type CaseEvaluationDeps, operatorCaseEvaluation } from './case-evaluation.ts';
import { consentRoutes } from './consents.ts';
import { contactRoutes } from './contacts.ts';
import { submissionRoutes } from './documents.ts';
import { evidenceRoutes } from './evidences.ts';
import { identityRoutes } from './identities.ts';
import { liveCaptureRoutes } from './live-capture.ts';
import { nfcRoutes } from './nfc.ts';
import type { RouteGroup } from './openapi.ts';
import { operatorRoutes } from './operator.ts';
import { sandboxRoutes } from './sandbox.ts';
import { adminSessionRoutes, operatorSessionRoutes, type StaffSessionDeps } from './staff-sessions.ts';
import { statementRoutes } from './statements.ts';
import { supportedEvidenceRoutes } from './supported-evidence.ts';
import { uploadRoutes } from './uploads.ts';
import { userAgentSessionRoutes } from './user-agent-sessions.ts';

export type RouteDeps = Parameters<typeof identityRoutes>[0] &
  Parameters<typeof submissionRoutes>[0] &
  Parameters<typeof adminKeyRoutes>[0] &
  Parameters<typeof operatorRoutes>[0] &
  CaseEvaluationDeps &
  Parameters<typeof adminAuditRoutes>[0] &
  Parameters<typeof adminDeadLetterRoutes>[0] &
  Parameters<typeof contactRoutes>[0] &
  Parameters<typeof liveCaptureRoutes>[0] &
  Parameters<typeof userAgentSessionRoutes>[0] &
  Parameters<typeof nfcRoutes>[0] &
  Parameters<typeof sandboxRoutes>[0] &
  Parameters<typeof adminTrustRoutes>[0] &
  Parameters<typeof adminDoctorRoutes>[0] &
  Parameters<typeof adminMasterKeyRoutes>[0] &
  Parameters<typeof adminSigningKeyRoutes>[0] &
  AdminIdentityDeps &
  StaffSessionDeps &
  Omit<AdminTenantDeps, 'policies'> & { policies: Policies };

/**
 * Every route that needs a key, by base path; `{prefix}` stands for each configured first segment.
 */
export const routeGroups = (deps: RouteDeps): RouteGroup[] => {
  const policies = deps.policies.list().map(({ name, version, description }) => ({ name, version, description }));
  return [
    {
      base: '/{prefix}/v1',
      routes: [
        ...identityRoutes(deps),
        ...consentRoutes(deps),
        ...submissionRoutes(deps),
        ...captureRoutes(deps),
        ...evidenceRoutes(deps),
        ...statementRoutes(deps),
        ...uploadRoutes(deps),
        ...contactRoutes(deps),
        ...liveCaptureRoutes(deps),
        ...userAgentSessionRoutes(deps),
        ...nfcRoutes(deps),
        ...supportedEvidenceRoutes(),
        ...sandboxRoutes(deps),
      ],
    },
    {
      base: '/operator/v1',
      page: 'console',
      routes: [...operatorRoutes(deps), ...operatorSessionRoutes(deps), ...operatorCaseEvaluation(deps)],
    },
    {
      base: '/admin/v1',
      page: 'admin',
      routes: [
        ...adminSessionRoutes(deps),
        ...adminTenantRoutes({ ...deps, policies }),
        ...adminKeyRoutes(deps),
        ...adminDeliveryRoutes(deps),
        ...adminIdentityRoutes(deps),
        ...adminAuditRoutes(deps),
        ...adminDeadLetterRoutes(deps),
        ...adminCaseEvaluation(deps),
        ...adminTrustRoutes(deps),
        ...adminDoctorRoutes(deps),
        ...adminMasterKeyRoutes(deps),
        ...adminSigningKeyRoutes(deps),
      ],
    },
  ];
};
