import { createCall } from '../client/call.ts';
import { RECEIVER } from './outsiders.ts';
import { ADMINISTRATOR } from './programs.ts';

/** The keys of the tenants of a run. */
export interface Keys {
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
  webhook: { url: `http://${RECEIVER}/hook`, mode: 'NONE', attempts: 100, delaySeconds: 1 },
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
  const relyingService = await keyOf(await made('simulation', SETTINGS), { role: 'RELYING_SERVICE' });
  if (!adjudicated) return { relyingService };
  const adjudication = { enabled: true, fourEyes };
  const sandbox = await made('adjudicated', { ...SETTINGS, sandbox: true, adjudication });
  const operators: string[] = [];
  for (const subject of OPERATORS)
    operators.push(await keyOf(sandbox, { role: 'OPERATOR', person: { subject, name: subject } }));
  return { relyingService, sandbox: { relyingService: await keyOf(sandbox, { role: 'RELYING_SERVICE' }), operators } };
};
