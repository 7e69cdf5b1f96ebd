import { createCall } from '../client/call.ts';
import { HOOKS, SANDBOX_HOOK } from './outsiders.ts';
import { ADMINISTRATOR } from './programs.ts';

/** The keys of the tenants of a run. */
export interface Keys {
  /** The tenant of most clients, and its key. */
  tenantId: string;
  relyingService: string;
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

/** Creates the tenants, and the sandbox if the scenario needs one. */
export const tenantsOf = async ({
  adjudicated,
  fourEyes,
}: {
  adjudicated: boolean;
  fourEyes: boolean;
}): Promise<Keys> => {
  const call = createCall({ apikey: ADMINISTRATOR, onForbidden: (what) => Promise.reject(new Error(what)) });
  const made = async (name: string, settings: object): Promise<string> =>
    String((await call('POST', '/admin/v1/tenants', { json: { name, settings } }))?.body.tenantId);
  const keyOf = async (tenantId: string, json: object): Promise<string> =>
    String((await call('POST', `/admin/v1/tenants/${tenantId}/keys`, { json }))?.body.apiKey);
  const tenantId = await made('simulation', SETTINGS);
  const relyingService = await keyOf(tenantId, { role: 'RELYING_SERVICE' });
  if (!adjudicated) return { tenantId, relyingService };
  const adjudication = { enabled: true, fourEyes };
  const sandbox = await made('adjudicated', {
    ...SETTINGS,
    webhook: { ...SETTINGS.webhook, url: SANDBOX_HOOK },
    sandbox: true,
    adjudication,
  });
  const operators: string[] = [];
  for (const subject of OPERATORS)
    operators.push(await keyOf(sandbox, { role: 'OPERATOR', person: { subject, name: subject } }));
  return {
    tenantId,
    relyingService,
    sandbox: { relyingService: await keyOf(sandbox, { role: 'RELYING_SERVICE' }), operators },
  };
};
