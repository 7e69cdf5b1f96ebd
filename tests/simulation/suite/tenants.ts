import { present } from '@assay/contracts';
import type { BriefTransactions } from '../client/brief.ts';
import { createCall } from '../client/call.ts';
import type { Scenario } from '../scenario.ts';
import { BRIEF_HOOK, HOOKS, SANDBOX_HOOK } from './outsiders.ts';
import { ADMINISTRATOR } from './programs.ts';

/** The keys of the tenants of a run. */
export interface Keys {
  /** The tenant of most clients, and its key. */
  tenantId: string;
  relyingService: string;
  /** The key of the tenant whose transactions expire soon. */
  brief?: string;
  /** The keys of a sandbox in which operators decide on pictures. */
  sandbox?: { relyingService: string; operators: string[] };
}

const SETTINGS = {
  acceptSpecimens: true,
  limits: { requestsPerMinute: 1_000_000 },
  // The source is asked again while faults last, and after they are over.
  issuingSources: { enabled: true, recheckAfterSeconds: 15 },
  retention: { proofGraceSeconds: 3600 },
  webhook: { url: HOOKS[0] as string, mode: 'NONE', attempts: 100, delaySeconds: 1 },
};
const OPERATORS = ['ada', 'bo', 'cy'];

type Call = ReturnType<typeof createCall>;

const tenantOf = async (call: Call, name: string, settings: object): Promise<string> =>
  String((await call('POST', '/admin/v1/tenants', { json: { name, settings } }))?.body.tenantId);
const keyOf = async (call: Call, tenantId: string, json: object): Promise<string> =>
  String((await call('POST', `/admin/v1/tenants/${tenantId}/keys`, { json }))?.body.apiKey);

const briefly = ({ lifetimeSeconds, pauses }: BriefTransactions) => ({
  transactionLifetimeSeconds: lifetimeSeconds,
  pauseResume: { enabled: pauses, pauseDurationSeconds: 2 * lifetimeSeconds },
});

const briefTenant = async (call: Call, brief: BriefTransactions): Promise<string> => {
  const tenantId = await tenantOf(call, 'brief', {
    ...SETTINGS,
    webhook: { ...SETTINGS.webhook, url: BRIEF_HOOK },
    ...briefly(brief),
  });
  return keyOf(call, tenantId, { role: 'RELYING_SERVICE' });
};

const sandboxTenant = async (call: Call, { fourEyes, brief }: Scenario): Promise<NonNullable<Keys['sandbox']>> => {
  const sandbox = await tenantOf(call, 'adjudicated', {
    ...SETTINGS,
    webhook: { ...SETTINGS.webhook, url: SANDBOX_HOOK },
    sandbox: true,
    adjudication: { enabled: true, fourEyes },
    ...(brief?.adjudicates ? briefly(brief) : {}),
  });
  const operators: string[] = [];
  for (const subject of OPERATORS)
    operators.push(await keyOf(call, sandbox, { role: 'OPERATOR', person: { subject, name: subject } }));
  return { relyingService: await keyOf(call, sandbox, { role: 'RELYING_SERVICE' }), operators };
};

/** Creates the tenants that the scenario needs. */
export const tenantsOf = async (scenario: Scenario): Promise<Keys> => {
  const { adjudicated, brief } = scenario;
  const call = createCall({
    credentials: { apikey: ADMINISTRATOR },
    onForbidden: (what) => Promise.reject(new Error(what)),
  });
  const tenantId = await tenantOf(call, 'simulation', SETTINGS);
  const relyingService = await keyOf(call, tenantId, { role: 'RELYING_SERVICE' });
  const sandbox = adjudicated.length > 0 ? await sandboxTenant(call, scenario) : undefined;
  const briefKey = brief && (await briefTenant(call, brief));
  return { tenantId, relyingService, ...present({ sandbox, brief: briefKey }) };
};
