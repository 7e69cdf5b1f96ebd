import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type Api,
  apiWith,
  newIdentity,
  newTenant,
  readStack,
  specimen,
  type Tenant,
} from '@assay/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';

/* Every route of the OpenAPI document, walked with ids of another tenant and with keys of every role. */

interface Operation {
  path: string;
  method: string;
  roles: string[];
  form: boolean;
  json: boolean;
}
let operations: Operation[];
let mine: Tenant;
let others: {
  identityId: string;
  evidenceId: string;
  consentId: string;
  caseId: string;
  sessionId: string;
  mediaId: string;
};
beforeAll(async () => {
  const document = (await (await fetch(`${readStack().baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, never>;
  };
  operations = Object.entries<Record<string, { description?: string; requestBody?: { content: object } }>>(
    document.paths,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description, requestBody }]) => ({
      path,
      method,
      roles: /Roles: ([A-Z_, ]+)\./.exec(description ?? '')?.[1]?.split(', ') ?? [],
      form: 'multipart/form-data' in (requestBody?.content ?? {}),
      json: 'application/json' in (requestBody?.content ?? {}),
    })),
  );
  mine = await newTenant('walk', { limits: { requestsPerMinute: 100_000 } });
  const neighbour = await newTenant('walk neighbour');
  const identity = await newIdentity(neighbour.relyingService);
  const consents = await identity.consent('PORTRAIT');
  const { body } = await identity.document(specimen('passport.jpg'));
  others = {
    identityId: identity.id,
    evidenceId: body.id,
    consentId: consents.body[0].consentId,
    caseId: randomUUID(),
    sessionId: randomUUID(),
    mediaId: randomUUID(),
  };
});

const send = async (
  api: Api,
  { path, method, form, json }: Operation,
  ids: Record<string, string>,
): Promise<Answer> => {
  const at = path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'AUS');
  if (method === 'get') return api.get(at);
  if (method === 'delete') return api.delete(at);
  if (method === 'patch') return api.patch(at, {});
  if (method === 'put') return api.put(at, {});
  if (form && !json) return api.upload(at, { DocumentFront: specimen('passport.jpg') });
  return api.post(at, json ? [] : undefined);
};
const seen = ({ status, body }: Answer) => [status, body?.title, body?.errors];
const unknownIds = () => Object.fromEntries(Object.keys(others).map((name) => [name, randomUUID()]));

describe('routes with ids', () => {
  test('answer for ids of another tenant exactly as for ids that never existed', async () => {
    const clients = operations.filter(({ path, roles }) => path.includes('{') && roles.includes('RELYING_SERVICE'));
    expect(clients.length).toBeGreaterThan(15);
    for (const operation of clients) {
      const name = `${operation.method} ${operation.path}`;
      const foreign = await send(mine.relyingService, operation, others);
      const unknown = await send(mine.relyingService, operation, unknownIds());
      expect([name, ...seen(foreign)]).toEqual([name, ...seen(unknown)]);
      if (/identityId/.test(operation.path)) expect([name, foreign.status >= 400]).toEqual([name, true]);
    }
  });

  test('of operators likewise', async () => {
    for (const operation of operations.filter(({ path, roles }) => path.includes('{') && roles.includes('OPERATOR'))) {
      const foreign = await send(mine.operator, operation, others);
      expect([operation.path, foreign.status]).toEqual([operation.path, foreign.status === 400 ? 400 : 404]);
    }
  });
});

test('every route refuses every role it is not for, before it looks anything up, and answers 401 without a key', async () => {
  const { baseUrl, keys } = readStack();
  const { body: ownAdministrator } = await mine.admin.post(`/admin/v1/tenants/${mine.tenantId}/keys`, {
    role: 'TENANT_ADMINISTRATOR',
  });
  const apis: Record<string, Api> = {
    RELYING_SERVICE: mine.relyingService,
    USER_AGENT: mine.userAgent,
    OPERATOR: mine.operator,
    TENANT_ADMINISTRATOR: apiWith(baseUrl, ownAdministrator.apiKey),
    ADMINISTRATOR: apiWith(baseUrl, keys.admin),
  };
  const withRoles = operations.filter(({ roles }) => roles.length > 0);
  expect(withRoles.length).toBeGreaterThan(30);
  for (const operation of withRoles) {
    const name = `${operation.method} ${operation.path}`;
    for (const [role, api] of Object.entries(apis)) {
      const { status, body } = await send(api, operation, unknownIds());
      const refused = status === 403 && body?.errors?.[0]?.code === '4030';
      expect([name, role, refused]).toEqual([name, role, !operation.roles.includes(role)]);
    }
    expect([name, (await send(apiWith(baseUrl, 'none'), operation, unknownIds())).status]).toEqual([name, 401]);
  }
}, 120_000);
