import { CHECKS, type DoctorReply, formatDateTime } from '@assay/contracts';
import { ApiError, createExamination } from '@assay/http';
import type { Clock } from '@assay/runtime';
import type { DoctorClient, Neighbour } from '../clients/doctor.ts';
import {
  type Examined,
  issuerFindings,
  keysFindings,
  notMade,
  type PlacedFinding,
  servicesFindings,
  tenantsFindings,
  unanswered,
} from '../domain/doctor.ts';
import type { ApiKeys } from '../store/api-keys.ts';
import type { AuditStore } from '../store/audit.ts';
import type { Tenant, Tenants } from '../store/tenants.ts';
import type { MasterKeyFlow } from './master-keys.ts';
import type { SignInFlow } from './sign-in.ts';

const DAY_MS = 24 * 3600 * 1000;
const OLD_MS = 365 * DAY_MS;
const UNUSED_MS = 90 * DAY_MS;
const SIGNED_WITHIN_MS = 600_000;
const PAGE = 500;
/** What the command finds out by itself. */
const OF_THE_COMMAND: readonly string[] = ['front-tls', 'alerts'];

export interface Deps {
  doctor: DoctorClient;
  tenants: Pick<Tenants, 'list'>;
  apiKeys: Pick<ApiKeys, 'ages'>;
  masterKeyFlow: Pick<MasterKeyFlow, 'examine'>;
  signInFlow: Pick<SignInFlow, 'examineIssuer'>;
  audit: Pick<AuditStore, 'heads' | 'lastCheckpoint' | 'list'>;
  now: Clock;
}

const everyTenant = async (tenants: Deps['tenants']): Promise<Tenant[]> => {
  const all: Tenant[] = [];
  for (;;) {
    const page = await tenants.list(all.at(-1)?.tenantId, PAGE);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
};

/** Whether the heads of the audit chains are signed in time. */
const auditFinding = async ({ audit, now }: Deps): Promise<PlacedFinding> => {
  const before = new Date(now().getTime() - SIGNED_WITHIN_MS).toISOString();
  const late: string[] = [];
  for (const { chain, seq } of await audit.heads()) {
    const signed = (await audit.lastCheckpoint(chain))?.seq ?? 0;
    const [next] = signed < seq ? await audit.list(chain, signed, 1) : [];
    if (next && next.at < before) late.push(chain);
  }
  const check = 'audit-log';
  return late.length > 0
    ? { check, status: 'PROBLEM', message: `${late.length} chains were not signed for ten minutes`, where: 'gateway' }
    : { check, status: 'OK', message: 'every chain is signed', where: 'gateway' };
};

/** What a service that does not answer, or not like one of this release, comes to. */
const absent =
  (service: Neighbour) =>
  (error: unknown): PlacedFinding => {
    if (!(error instanceof ApiError)) throw error;
    return unanswered(service);
  };

export type ExamineSuite = ReturnType<typeof createDoctor>;

/**
 * Asks every service, one process of each, and the gateway's own stores, what keeps the suite from
 * being fit for production.
 */
export const createDoctor = (deps: Deps) => {
  const { doctor, tenants, apiKeys, now } = deps;
  const examineOwn = createExamination('gateway');

  const answerOf = async (service: Neighbour, requestId: string): Promise<Examined> => {
    const found = await doctor.examine(service, requestId);
    return { ...found, service, answeredAt: now() };
  };

  return async (requestId: string): Promise<DoctorReply> => {
    const at = now();
    const asked = doctor.neighbours.map((service) => answerOf(service, requestId).catch(absent(service)));
    const [own, all, ages, audit, masterKeys, issuer, ...answers] = await Promise.all([
      examineOwn(),
      everyTenant(tenants),
      apiKeys.ages(new Date(at.getTime() - OLD_MS), new Date(at.getTime() - UNUSED_MS)),
      auditFinding(deps),
      deps.masterKeyFlow.examine(),
      deps.signInFlow.examineIssuer(),
      ...asked,
    ]);
    const examined = answers.filter((one): one is Examined => 'findings' in one);
    const silent = answers.filter((one): one is PlacedFinding => !('findings' in one));
    const findings = [
      ...servicesFindings([{ ...own, service: 'gateway', answeredAt: now() }, ...examined]),
      ...silent,
      ...tenantsFindings(all),
      ...keysFindings(ages),
      audit,
      ...masterKeys,
      ...(issuer ? issuerFindings(issuer) : []),
    ];
    const ofSuite = CHECKS.filter((check) => !OF_THE_COMMAND.includes(check));
    return { at: formatDateTime(at), findings: [...findings, ...notMade(ofSuite, findings)] };
  };
};
