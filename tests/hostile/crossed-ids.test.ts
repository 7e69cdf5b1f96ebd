import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type Api,
  apiWith,
  newIdentity,
  newTenant,
  readStack,
  specimen,
  startWebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/*
 * Every route of the OpenAPI document that takes ids, with ids that exist elsewhere: all of another
 * tenant, or the first ones the caller's own and the rest another's. Each is answered exactly as an
 * id that never existed.
 */

type Ids = Record<string, string[]>;
interface Operation {
  path: string;
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  roles: string[];
  isForm: boolean;
  isJson: boolean;
}
interface Documented {
  description?: string;
  requestBody?: { content: object };
}

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

/** A tenant with an object for every id that a path may contain. */
const furnished = async (name: string) => {
  const webhook = { url: receiver.url, mode: 'NONE' as const };
  const tenant = await newTenant(name, { adjudication: { enabled: true }, webhook });
  const { relyingService, operator, admin, tenantId } = tenant;
  const at = `/admin/v1/tenants/${tenantId}`;
  const identity = await newIdentity(relyingService);
  const consents = await identity.consent('PORTRAIT', 'EMAIL_OTP', 'MOBILE_OTP');
  const { body: document } = await identity.document(specimen('passport-altered.jpg'));
  const opened = async (path: string, body?: object): Promise<string> =>
    (await relyingService.post(`${identity.at}/${path}`, body)).body.sessionId;
  const sessions = [
    await opened('user-agent-sessions'),
    await opened('id-documents/nfc-session', {}),
    await opened('id-documents/live-capture-session', { idDocumentType: 'PASSPORT' }),
  ];
  await identity.becomes(document.id, 'ADJUDICATION');
  const { caseId } = await waitFor(
    'the case',
    async () => (await operator.get('/operator/v1/cases?state=OPEN')).body.items[0] ?? false,
  );
  const { media } = (await operator.get(`/operator/v1/cases/${caseId}`)).body;
  const { deliveryId } = (await admin.post(`${at}/endpoint/test`)).body;
  const { keyId, apiKey } = (await admin.post(`${at}/keys`, { role: 'TENANT_ADMINISTRATOR' })).body;
  const ids: Ids = {
    ...{ tenantId: [tenantId], identityId: [identity.id], evidenceId: [document.id], caseId: [caseId] },
    ...{ consentId: [consents.body[0].consentId], deliveryId: [deliveryId], keyId: [keyId], sessionId: sessions },
    mediaId: media.map(({ mediaId }: { mediaId: string }) => mediaId),
  };
  expect(Object.values(ids).flat().every(Boolean)).toBe(true);
  return { ...tenant, ids, administrator: apiWith(readStack().baseUrl, apiKey) };
};

const operationsOf = async (): Promise<Operation[]> => {
  const reply = await fetch(`${readStack().baseUrl}/openapi.json`);
  const { paths } = (await reply.json()) as { paths: Record<string, Record<string, Documented>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description, requestBody }]) => ({
      path,
      method: method as Operation['method'],
      roles: /Roles: ([A-Z_, ]+)\./.exec(description ?? '')?.[1]?.split(', ') ?? [],
      isForm: 'multipart/form-data' in (requestBody?.content ?? {}),
      isJson: 'application/json' in (requestBody?.content ?? {}),
    })),
  );
};

/** Bodies that are accepted, by the end of the path. */
const BODIES: Record<string, unknown> = {
  consents: [{ approved: true, type: 'PORTRAIT' }],
  email: { value: 'somebody@mail.example' },
  mobile: { value: '+61 491 570 156' },
  otp: { otp: '123456' },
  decision: { decision: 'ACCEPT' },
  evaluation: { policy: 'default' },
};

const send = (api: Api, { path, method, isForm, isJson }: Operation, ids: Record<string, string>): Promise<Answer> => {
  const at = path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'AUS');
  if (method === 'get' || method === 'delete') return api[method](at);
  if (method !== 'post') return api[method](at, { settings: {} });
  if (isForm && !isJson) return api.upload(at, { DocumentFront: specimen('passport.jpg') });
  return api.post(at, isJson ? (BODIES[path.split('/').at(-1) ?? ''] ?? {}) : undefined);
};

const seen = ({ status, body }: Answer) => [status, body && { ...body, requestId: undefined }];
const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
const combinations = (names: readonly string[], ids: Ids): Record<string, string>[] =>
  names.reduce<Record<string, string>[]>(
    (all, name) => all.flatMap((one) => (ids[name] ?? []).map((id) => ({ ...one, [name]: id }))),
    [{}],
  );

test('ids of another tenant, alone or behind own ones, are answered as ids that never existed', async () => {
  const [mine, others, operations] = [await furnished('mine'), await furnished('others'), await operationsOf()];
  const apis: Record<string, Api> = {
    RELYING_SERVICE: mine.relyingService,
    USER_AGENT: mine.userAgent,
    OPERATOR: mine.operator,
    TENANT_ADMINISTRATOR: mine.administrator,
  };
  let compared = 0;
  for (const operation of operations)
    for (const [role, api] of Object.entries(apis).filter(([name]) => operation.roles.includes(name))) {
      const names = namesIn(operation.path).filter((name) => name in others.ids);
      for (const [own] of names.entries()) {
        const [first, rest] = [names.slice(0, own), names.slice(own)];
        const [ownIds = {}] = combinations(first, mine.ids);
        const never = Object.fromEntries(rest.map((name) => [name, randomUUID()]));
        const unknown = await send(api, operation, { ...ownIds, ...never });
        expect([operation.path, role, unknown.status >= 400]).toEqual([operation.path, role, true]);
        for (const foreign of combinations(rest, others.ids)) {
          const answer = await send(api, operation, { ...ownIds, ...foreign });
          expect([operation.path, role, own, ...seen(answer)]).toEqual([operation.path, role, own, ...seen(unknown)]);
          compared += 1;
        }
      }
    }
  expect(compared).toBeGreaterThan(100);
  expect((await others.relyingService.get(`/svc/v1/identities/${others.ids.identityId}`)).status).toBe(200);
}, 120_000);
