import type { Policies } from '@assay/policy';
import { adminAuditRoutes } from './admin-audit.ts';
import { adminDeliveryRoutes } from './admin-deliveries.ts';
import { adminKeyRoutes } from './admin-keys.ts';
import { type AdminTenantParts, adminTenantRoutes } from './admin-tenants.ts';
import { captureRoutes } from './captures.ts';
import { consentRoutes } from './consents.ts';
import { contactRoutes } from './contacts.ts';
import { submissionRoutes } from './documents.ts';
import { evidenceRoutes } from './evidences.ts';
import { identityRoutes } from './identities.ts';
import { adminJudgement, type JudgementParts, operatorJudgement } from './judgement.ts';
import { liveCaptureRoutes } from './live-capture.ts';
import type { RouteGroup } from './openapi.ts';
import { operatorRoutes } from './operator.ts';
import { statementRoutes } from './statements.ts';
import { supportedEvidenceRoutes } from './supported-evidence.ts';
import { uploadRoutes } from './uploads.ts';

export type RouteParts = Parameters<typeof identityRoutes>[0] &
  Parameters<typeof submissionRoutes>[0] &
  Parameters<typeof adminKeyRoutes>[0] &
  Parameters<typeof operatorRoutes>[0] &
  JudgementParts &
  Parameters<typeof adminAuditRoutes>[0] &
  Parameters<typeof contactRoutes>[0] &
  Parameters<typeof liveCaptureRoutes>[0] &
  Omit<AdminTenantParts, 'policies'> & { policies: Policies };

/** Every route that needs a key, by base path; `{prefix}` stands for each configured first segment. */
export const routeGroups = (parts: RouteParts): RouteGroup[] => {
  const policies = parts.policies.list().map(({ name, version, description }) => ({ name, version, description }));
  return [
    {
      base: '/{prefix}/v1',
      routes: [
        ...identityRoutes(parts),
        ...consentRoutes(parts),
        ...submissionRoutes(parts),
        ...captureRoutes(parts),
        ...evidenceRoutes(parts),
        ...statementRoutes(parts),
        ...uploadRoutes(parts),
        ...contactRoutes(parts),
        ...liveCaptureRoutes(parts),
        ...supportedEvidenceRoutes(),
      ],
    },
    { base: '/operator/v1', routes: [...operatorRoutes(parts), ...operatorJudgement(parts)] },
    {
      base: '/admin/v1',
      routes: [
        ...adminTenantRoutes({ ...parts, policies }),
        ...adminKeyRoutes(parts),
        ...adminDeliveryRoutes(parts),
        ...adminAuditRoutes(parts),
        ...adminJudgement(parts),
      ],
    },
  ];
};
