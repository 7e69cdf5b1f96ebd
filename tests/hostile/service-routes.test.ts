import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readInternalKeys, SERVICE_NAMES, type ServiceName, signToken, unwrapFrom } from '@assay/http';
import { newDataKey } from '@assay/sealing';
import { newIdentity, newTenant, readStack } from '@assay/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { secretsOfSuite } from './gone/keys.ts';

/*
 * What an attacker can do with the secrets of one service. The test calls every route of every
 * service with the token of every service. A route admits only services that need it for their
 * work; all others get 403, whatever they ask for. Only the service for which a key was wrapped can
 * unwrap it.
 */

const [GATEWAY, WORKER, PROOF] = ['gateway', 'verification-worker', 'proof-builder'] as const;
/** Each internal route with the services that need it. `:id` is an identity, `:x` is anything. */
const ROUTES: Record<ServiceName, Record<string, readonly ServiceName[]>> = {
  gateway: {
    'GET /identities/:id/key': [WORKER, 'issuing-source-adapter'],
    'GET /identities/:id/notice-key': ['notifier'],
    'POST /identities/:id/grant': ['evidence-intake'],
  },
  'evidence-intake': {
    'POST /evidences/capture': [GATEWAY],
    'POST /evidences': [GATEWAY],
    'GET /evidences/:x/media': [GATEWAY, PROOF],
    'GET /evidences/:x/chip-files': [WORKER],
    'PUT /evidences/:x/crops/:x': [WORKER],
    'GET /media/:x': [GATEWAY, WORKER],
    'PUT /archives/:x/media': [PROOF],
    'DELETE /archives/:x/media': [PROOF],
    'GET /archives/:x/media/:x': [PROOF],
    'POST /live-sessions': [GATEWAY],
    'POST /live-sessions/:x/frames': [GATEWAY],
    'POST /live-sessions/:x/end': [GATEWAY],
    'POST /nfc-sessions': [GATEWAY],
    'POST /nfc-sessions/:x/chip-authentication': [GATEWAY],
    'POST /nfc-sessions/:x/data': [GATEWAY],
    'GET /doctor': [GATEWAY],
  },
  'verification-worker': {
    'GET /cases/:id': [GATEWAY],
    'POST /cases/:id/evaluate': [GATEWAY],
    'POST /cases/:id/re-evaluation': [GATEWAY],
    'POST /evaluations': [GATEWAY],
    'POST /trust/:x': [GATEWAY],
    'GET /trust-report': [GATEWAY],
    'GET /trust/:x': [GATEWAY],
    'DELETE /trust/:x/:x': [GATEWAY],
    'GET /doctor': [GATEWAY],
  },
  'issuing-source-adapter': { 'GET /coverage': [GATEWAY], 'GET /doctor': [GATEWAY] },
  'proof-builder': {
    'POST /proofs': [GATEWAY],
    'GET /proofs/:x/archive': [GATEWAY],
    'GET /history': [GATEWAY],
    'GET /history/opened': [GATEWAY],
    'GET /jwks': [GATEWAY],
    'GET /signing-key.pem': [GATEWAY],
    'GET /signing-certificate.pem': [GATEWAY],
    'POST /signatures': [GATEWAY],
    'GET /signing-keys': [GATEWAY],
    'POST /signing-keys': [GATEWAY],
    'GET /schemas': [GATEWAY],
    'GET /schemas/:x': [GATEWAY],
    'GET /doctor': [GATEWAY],
  },
  notifier: {
    'PUT /endpoints/:x': [GATEWAY],
    'GET /endpoints/:x': [GATEWAY],
    'POST /endpoints/health': [GATEWAY],
    'POST /endpoints/:x/test': [GATEWAY],
    'GET /deliveries': [GATEWAY],
    'POST /deliveries/recover': [GATEWAY],
    'POST /deliveries/:x/resend': [GATEWAY],
    'GET /doctor': [GATEWAY],
  },
};

const keysOf = (service: ServiceName) => readInternalKeys(service, secretsOfSuite().internalKeys[service]);

let identity: { id: string; tenantId: string };
beforeAll(async () => {
  const { tenantId, relyingService } = await newTenant('service-routes');
  const { id } = await newIdentity(relyingService, { businessId: 'somebody' });
  identity = { id, tenantId };
});

const token = (from: ServiceName, to: ServiceName, tenantId = identity.tenantId) =>
  signToken(keysOf(from), to, {
    tenantId,
    identityId: identity.id,
    requestId: 'a-request-of-a-test',
    key: newDataKey(),
  });

const call = (to: ServiceName, route: string, bearer: string) => {
  const [method, path] = route.split(' ') as [string, string];
  const { internalUrl } = readStack().services[to]![0]!;
  const url = `${internalUrl}/internal/v1${path.replaceAll(':id', identity.id).replaceAll(':x', 'nothing-of-that-name')}`;
  return fetch(url, { method, headers: { authorization: `Bearer ${bearer}` } });
};

/** The status that a route answers, by the calling service. */
const statuses = async (to: ServiceName, route: string) =>
  new Map(
    await Promise.all(
      SERVICE_NAMES.map(async (from) => [from, (await call(to, route, token(from, to))).status] as const),
    ),
  );

describe.each(SERVICE_NAMES)('%s', (to) => {
  test('admits only services that need a route, and only with a token for itself', async () => {
    for (const [route, callers] of Object.entries(ROUTES[to])) {
      const refused = [...(await statuses(to, route))].filter(([, status]) => status === 403).map(([from]) => from);
      const allowed = SERVICE_NAMES.filter((from) => !refused.includes(from));
      expect({ route, allowed }).toEqual({ route, allowed: SERVICE_NAMES.filter((from) => callers.includes(from)) });
      const elsewhere = SERVICE_NAMES.find((name) => name !== to)!;
      const misdirected = await call(to, route, token(callers[0]!, elsewhere));
      expect({ route, status: misdirected.status }).toEqual({ route, status: 401 });
    }
  });
});

test('the table has every route that the services serve', () => {
  const services = join(import.meta.dirname, '../../services');
  const count = (service: ServiceName): number => {
    const http = join(services, service, 'src/http');
    const files = readdirSync(http).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
    const sources = service === 'gateway' ? ['internal.ts'] : files;
    const text = sources.map((name) => readFileSync(join(http, name), 'utf8')).join('\n');
    return text.match(/(?:router|Router\(\)|\n\s+)\.(?:get|post|put|delete)\(\s*['`]/g)?.length ?? 0;
  };
  const table = SERVICE_NAMES.map((service) => [service, Object.keys(ROUTES[service]).length]);
  expect(SERVICE_NAMES.map((service) => [service, count(service)])).toEqual(table);
});

describe('the key of an identity', () => {
  const wrappedFor = async (from: ServiceName, name: string): Promise<string> => {
    const reply = await call('gateway', `GET /identities/:id/${name}`, token(from, 'gateway'));
    expect(reply.status).toBe(200);
    return ((await reply.json()) as { wrapped: string }).wrapped;
  };

  test('is unwrapped by the service that asked, and by no other', async () => {
    const wrapped = await wrappedFor('verification-worker', 'key');
    expect(unwrapFrom(keysOf('verification-worker'), 'gateway', wrapped, identity.id)).toHaveLength(32);
    for (const other of SERVICE_NAMES.filter((name) => name !== 'verification-worker' && name !== 'gateway'))
      expect(() => unwrapFrom(keysOf(other), 'gateway', wrapped, identity.id)).toThrow();
    expect(() => unwrapFrom(keysOf('verification-worker'), 'gateway', wrapped, 'another')).toThrow();
  });

  test('is not the key that the notifier gets', async () => {
    const key = unwrapFrom(keysOf(WORKER), 'gateway', await wrappedFor(WORKER, 'key'), identity.id);
    const notices = unwrapFrom(keysOf('notifier'), 'gateway', await wrappedFor('notifier', 'notice-key'), identity.id);
    expect(notices.equals(key)).toBe(false);
  });

  test('is refused for another tenant, and for an identity that the token does not name', async () => {
    const another = await call('gateway', 'GET /identities/:id/key', token(WORKER, 'gateway', 'another-tenant'));
    expect(another.status).toBe(410);
    const path = 'GET /identities/an-identity-of-somebody/key';
    expect((await call('gateway', path, token(WORKER, 'gateway'))).status).toBe(403);
  });
});
