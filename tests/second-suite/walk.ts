import { randomUUID } from 'node:crypto';
import { violationsOf } from '@assay/contracts';
import {
  type Answer,
  type Api,
  apiWith,
  newIdentity,
  newTenant,
  readStack,
  specimen,
  startWebhookReceiver,
  type Tenant,
  waitFor,
} from '@assay/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { routeGroups } from '../../services/gateway/src/http/routes.ts';

interface Operation {
  operationId: string;
  path: string;
  method: string;
  roles: string[];
  form: boolean;
  json: boolean;
  /** Answers JSON. */
  answersJson: boolean;
}
interface Documented {
  operationId: string;
  description?: string;
  requestBody?: { content: object };
  responses: Record<string, { content?: object }>;
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
const prepare = async (): Promise<void> => {
  const document = (await (await fetch(`${readStack().baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, never>;
  };
  operations = Object.entries<Record<string, Documented>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, description, requestBody, responses }]) => ({
      operationId,
      path,
      method,
      roles: /Roles: ([A-Z_, ]+)\./.exec(description ?? '')?.[1]?.split(', ') ?? [],
      form: 'multipart/form-data' in (requestBody?.content ?? {}),
      json: 'application/json' in (requestBody?.content ?? {}),
      answersJson: Object.keys(responses['200']?.content ?? {}).some((type) => type.includes('json')),
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
};

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

const idsStory = (): void => {
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

  test('answer operators in the same way', async () => {
    for (const operation of operations.filter(({ path, roles }) => path.includes('{') && roles.includes('OPERATOR'))) {
      const foreign = await send(mine.operator, operation, others);
      expect([operation.path, foreign.status]).toEqual([operation.path, foreign.status === 400 ? 400 : 404]);
    }
  });
};

const rolesStory = (): void => {
  test('every route refuses the roles that may not use it before it looks anything up, and answers 401 without a key', async () => {
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
};

const readingStory = (): void => {
  const shapes = new Map(
    routeGroups({ policies: { list: () => [], named: () => undefined }, rabbitmq: {} } as never).flatMap(({ routes }) =>
      routes.map(({ id, reply }) => [id, reply.schema] as const),
    ),
  );
  const deviations = ({ operationId }: Operation, { status, body }: Answer) => {
    const shape = shapes.get(operationId);
    return status === 200 ? (shape ? violationsOf(shape, body) : []) : [status, body];
  };
  const named = (operationId: string): Operation => operations.find((each) => each.operationId === operationId)!;

  /**
   * A tenant with an object for every id that a path may contain, and an identity that it purged.
   */
  const furnished = async () => {
    const receiver = await startWebhookReceiver();
    const tenant = await newTenant('reading', {
      adjudication: { enabled: true },
      webhook: { url: receiver.url, mode: 'NONE' },
    });
    const { tenantId, relyingService, operator } = tenant;
    const identity = await newIdentity(relyingService);
    const { body: consents } = await identity.consent('PORTRAIT', 'EMAIL_OTP', 'MOBILE_OTP');
    const { body: document } = await identity.document(specimen('passport-altered.jpg'));
    await relyingService.post(`${identity.at}/contacts/email`, { value: `${identity.id}@mail.example` });
    await relyingService.post(`${identity.at}/contacts/mobile`, { value: '+61 491 570 156' });
    const { token } = (await relyingService.post(`${identity.at}/user-agent-sessions`)).body;
    const { items } = await waitFor('the case', async () => {
      const { body } = await operator.get('/operator/v1/cases?state=OPEN');
      return body.items.length > 0 && body;
    });
    const closed = await newIdentity(relyingService);
    const purge = named('purgeIdentity');
    const purged = await send(tenant.admin, purge, { tenantId, identityId: closed.id });
    expect(deviations(purge, purged)).toEqual([]);
    const ids = {
      ...{ tenantId, identityId: identity.id, evidenceId: document.id, consentId: consents[0].consentId },
      ...{ caseId: items[0].caseId, queue: 'notifier.codes', name: 'proof.schema.json' },
    };
    return { tenant, ids, closed: { ...ids, identityId: closed.id }, token: token as string, receiver };
  };

  test('for every GET of JSON', async () => {
    const { tenant, ids, closed, token, receiver } = await furnished();
    const page = apiWith(readStack().baseUrl, '');
    const ask = (operation: Operation): Promise<Answer> => {
      const { path, roles, operationId } = operation;
      if (path.includes('/user-agent-sessions/')) return page.get(path, { authorization: `Bearer ${token}` });
      const api = roles.includes('OPERATOR')
        ? tenant.operator
        : roles.includes('ADMINISTRATOR')
          ? tenant.admin
          : tenant.relyingService;
      return send(api, operation, operationId === 'getDeletionReceipt' ? closed : ids);
    };
    const reading = operations.filter(({ method, answersJson }) => method === 'get' && answersJson);
    expect(reading.length).toBeGreaterThan(45);
    for (const operation of reading)
      expect([operation.path, deviations(operation, await ask(operation))]).toEqual([operation.path, []]);
    await receiver.close();
  }, 60_000);
};

/**
 * Calls every route of the OpenAPI document with ids of another tenant and with keys of every role.
 */
export const walkStory = (): void => {
  beforeAll(prepare);
  describe('with ids', idsStory);
  rolesStory();
  describe('what only reads answers as the document says', readingStory);
};
