import { randomInt, randomUUID } from 'node:crypto';
import { createAuthority, createChip } from '@assay/chip/software';
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
  type WebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/* Every POST that is sent fifty times at once with one Idempotency-Key takes effect once. */

const TIMES = 50;
type Headers = Record<string, string>;

/** A POST on an object of its own, and how many effects it had, where a test can see that. */
interface Prepared {
  send: (headers: Headers) => Promise<Answer>;
  effects?: () => Promise<number>;
}

let receiver: WebhookReceiver;
let tenant: Tenant;
let admin: Api;
let pausing: Tenant;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  admin = apiWith(readStack().baseUrl, readStack().keys.admin);
  const webhook = { url: receiver.url, mode: 'NONE' } as const;
  tenant = await newTenant('once', { webhook, adjudication: { enabled: true } });
  const pauseResume = { enabled: true, pauseDurationSeconds: 600 };
  pausing = await newTenant('once, pausing', { transactionLifetimeSeconds: 1, pauseResume });
});
afterAll(() => receiver.close());

type Identity = Awaited<ReturnType<typeof newIdentity>>;
const CONSENTS = ['GIV', 'PORTRAIT', 'EMAIL_OTP', 'MOBILE_OTP'];
const identityWithConsents = async (): Promise<Identity> => {
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent(...CONSENTS);
  return identity;
};
const listed = async ({ at }: Identity): Promise<number> =>
  (await tenant.relyingService.get(`${at}/status`)).body.singleStatuses.length;

/** A POST below an identity, with JSON or a form. */
const json = (path: string, body: unknown) => async (): Promise<Prepared> => {
  const identity = await identityWithConsents();
  const send = (headers: Headers) => tenant.relyingService.post(`${identity.at}${path}`, body, headers);
  return { send, effects: () => listed(identity) };
};
const form = (path: string, parts: Record<string, Buffer>) => async (): Promise<Prepared> => {
  const identity = await identityWithConsents();
  const send = (headers: Headers) => tenant.relyingService.upload(`${identity.at}${path}`, parts, headers);
  return { send, effects: () => listed(identity) };
};

const messagesTo = async (address: string): Promise<unknown[]> => {
  const answer = await fetch(`${readStack().mailcatcher}/messages?to=${encodeURIComponent(address)}`);
  return ((await answer.json()) as { items: unknown[] }).items;
};
const contact = (channel: 'email' | 'mobile') => async () => {
  const identity = await identityWithConsents();
  const value = channel === 'email' ? `${identity.id}@mail.example` : `+614${randomInt(10_000_000, 99_999_999)}`;
  const at = `${identity.at}/contacts/${channel}`;
  return { identity, at, value };
};
const startCode = (channel: 'email' | 'mobile') => async (): Promise<Prepared> => {
  const { at, value } = await contact(channel)();
  const effects = async () =>
    (await waitFor('a message', async () => (await messagesTo(value)).length > 0 && messagesTo(value))).length;
  return { send: (headers) => tenant.relyingService.post(at, { value }, headers), effects };
};
const verifyCode = (channel: 'email' | 'mobile') => async (): Promise<Prepared> => {
  const { identity, at, value } = await contact(channel)();
  await tenant.relyingService.post(at, { value });
  const otp = await waitFor(
    'the code',
    async () => /\b(\d{6})\b/.exec(JSON.stringify(await messagesTo(value)).replaceAll(value, ''))?.[1],
  );
  const send = (headers: Headers) => tenant.relyingService.post(`${at}/otp`, { otp }, headers);
  return { send, effects: () => listed(identity) };
};

const session = async (): Promise<{ identity: Identity; at: string }> => {
  const identity = await identityWithConsents();
  const begin = `${identity.at}/id-documents/live-capture-session`;
  const { body } = await tenant.relyingService.post(begin, { idDocumentType: 'PASSPORT' });
  return { identity, at: `/svc/v1/live-capture-sessions/${body.sessionId}` };
};
const frame = { Frame: specimen('passport.jpg') };

const authority = createAuthority({ country: 'QZ' });
const chip = createChip(authority, {
  passport: {
    documentNumber: 'L898902C3',
    surname: 'ERIKSSON',
    givenNames: 'ANNA MARIA',
    dateOfBirth: '1974-08-12',
    gender: 'FEMALE',
    dateOfExpiry: '2032-04-15',
  },
  now: new Date(),
  chipAuthentication: 'ECDH',
});
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const chipSession = async (): Promise<{ identity: Identity; at: string }> => {
  const identity = await identityWithConsents();
  const { body } = await tenant.relyingService.post(`${identity.at}/id-documents/nfc-session`, {});
  return { identity, at: `/svc/v1/nfc-sessions/${body.sessionId}` };
};

const openCase = async () => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport-altered.jpg'));
  await identity.becomes(body.id, 'ADJUDICATION');
  return waitFor('the case', async () => {
    const { items } = (await tenant.operator.get('/operator/v1/cases?state=OPEN&limit=200')).body;
    return items.find(({ evidenceId }: { evidenceId: string }) => evidenceId === body.id)?.caseId as string | undefined;
  });
};
const evaluation =
  (api: () => Api, base: string, path: 'evaluation' | 're-evaluation') => async (): Promise<Prepared> => {
    const identity = await newIdentity(tenant.relyingService);
    const { body } = await tenant.relyingService.post(`${identity.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
    await identity.stable(body.id);
    return {
      send: (headers) => api().post(`${base}/identities/${identity.id}/${path}`, { policy: 'strict' }, headers),
    };
  };
const exported = (api: () => Api, base: string) => async (): Promise<Prepared> => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await tenant.relyingService.post(`${identity.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
  await identity.stable(body.id);
  const { case: one } = (await admin.get(`/admin/v1/identities/${identity.id}/explanation`)).body;
  return { send: (headers) => api().post(`${base}/evaluations`, { case: one, policy: 'strict' }, headers) };
};

const person = { dateOfBirth: { value: '1990-01-31' }, givenNames: [{ value: 'ANN' }], surname: { value: 'SMITH' } };
const text = {
  idDocumentType: 'PASSPORT',
  idDocumentNumber: 'PA1234567',
  issuingCountry: 'AUS',
  personalAttributes: person,
};
const card = {
  cardNumber: '2296818481',
  cardType: 'G',
  expiryDate: '2035-01-01',
  personalAttributes: { fullname: { value: 'ANN SMITH' }, dateOfBirth: person.dateOfBirth },
};

const POSTS: Record<string, () => Promise<Prepared>> = {
  createIdentity: async () => ({ send: (headers) => tenant.relyingService.post('/svc/v1/identities', {}, headers) }),
  submitConsents: async () => {
    const identity = await newIdentity(tenant.relyingService);
    const send = (headers: Headers) =>
      tenant.relyingService.post(`${identity.at}/consents`, [{ approved: true, type: 'GIV' }], headers);
    return { send, effects: async () => (await identity.get()).consents.length };
  },
  resumeIdentity: async () => {
    const identity = await newIdentity(pausing.relyingService);
    await waitFor('the pause', async () => (await identity.get()).globalStatus.status === 'PAUSED');
    return { send: (headers) => pausing.relyingService.post(`${identity.at}/resume`, undefined, headers) };
  },
  captureDocument: form('/id-documents/capture', { DocumentFront: specimen('passport.jpg') }),
  submitDocument: json('/id-documents', text),
  submitHealthCard: json('/id-document/aus/medicare', card),
  capturePortrait: form('/attributes/portrait/capture', { Portrait: specimen('selfie-same.jpg') }),
  submitPortraitReference: form('/portrait-reference', { Portrait: specimen('selfie-same.jpg') }),
  submitAdditionalFiles: form('/additional-files', { File: Buffer.from('a file') }),
  submitAttributes: json('/attributes', person),
  submitAddress: json('/addresses', { city: 'UTOPIA', country: 'UTO' }),
  startEmailCode: startCode('email'),
  startMobileCode: startCode('mobile'),
  verifyEmailCode: verifyCode('email'),
  verifyMobileCode: verifyCode('mobile'),
  startPortraitSession: json('/attributes/portrait/live-capture-session', { type: 'LIVENESS_PASSIVE' }),
  startDocumentSession: json('/id-documents/live-capture-session', { idDocumentType: 'PASSPORT' }),
  addFrames: async () => {
    const { at } = await session();
    const effects = async () => (await tenant.relyingService.upload(`${at}/frames`, frame)).body.frames - 1;
    return { send: (headers) => tenant.relyingService.upload(`${at}/frames`, frame, headers), effects };
  },
  endSession: async () => {
    const { identity, at } = await session();
    await tenant.relyingService.upload(`${at}/frames`, frame);
    return {
      send: (headers) => tenant.relyingService.post(`${at}/end`, undefined, headers),
      effects: () => listed(identity),
    };
  },
  claimCase: async () => {
    const path = `/operator/v1/cases/${await openCase()}/claim`;
    return { send: (headers) => tenant.operator.post(path, undefined, headers) };
  },
  decideCase: async () => {
    const path = `/operator/v1/cases/${await openCase()}`;
    await tenant.operator.post(`${path}/claim`);
    const send = (headers: Headers) => tenant.operator.post(`${path}/decision`, { decision: 'ACCEPT' }, headers);
    return { send, effects: async () => (await tenant.operator.get(path)).body.decisions.length };
  },
  evaluateForOperator: evaluation(() => tenant.operator, '/operator/v1', 'evaluation'),
  evaluateExportedForOperator: exported(() => tenant.operator, '/operator/v1'),
  evaluate: evaluation(() => admin, '/admin/v1', 'evaluation'),
  evaluateExported: exported(() => admin, '/admin/v1'),
  reEvaluate: evaluation(() => admin, '/admin/v1', 're-evaluation'),
  createTenant: async () => {
    const name = randomUUID();
    const named = async (cursor = ''): Promise<number> => {
      const { body } = await admin.get(`/admin/v1/tenants?limit=200&cursor=${cursor}`);
      const here = body.items.filter((each: { name: string }) => each.name === name).length;
      return here + (body.cursor ? await named(body.cursor) : 0);
    };
    return { send: (headers) => admin.post('/admin/v1/tenants', { name }, headers), effects: () => named() };
  },
  createKey: async () => {
    const { tenantId } = await newTenant('once, keys');
    const path = `/admin/v1/tenants/${tenantId}/keys`;
    const send = (headers: Headers) => admin.post(path, { role: 'OPERATOR' }, headers);
    return { send, effects: async () => (await admin.get(path)).body.items.length - 3 };
  },
  createUserAgentSession: async () => {
    const { at } = await newIdentity(tenant.relyingService);
    return { send: (headers) => tenant.relyingService.post(`${at}/user-agent-sessions`, {}, headers) };
  },
  handOverUserAgentSession: async () => {
    const { at } = await newIdentity(tenant.relyingService);
    const { token } = (await tenant.relyingService.post(`${at}/user-agent-sessions`)).body;
    const page = apiWith(readStack().baseUrl, '');
    const authorization = `Bearer ${token}`;
    return {
      send: (headers) => page.post(`${at}/user-agent-sessions/handover`, undefined, { ...headers, authorization }),
    };
  },
  finishUserAgentSession: async () => {
    const { at } = await newIdentity(tenant.relyingService);
    const { token } = (await tenant.relyingService.post(`${at}/user-agent-sessions`)).body;
    const page = apiWith(readStack().baseUrl, '');
    const authorization = `Bearer ${token}`;
    return {
      send: (headers) =>
        page.post('/svc/v1/user-agent-sessions/current/done', undefined, { ...headers, authorization }),
    };
  },
  createAdministratorKey: async () => {
    const count = async (): Promise<number> => (await admin.get('/admin/v1/keys?limit=200')).body.items.length;
    const before = await count();
    return {
      send: (headers) => admin.post('/admin/v1/keys', { expiresAt: '2100-01-01T00:00:00' }, headers),
      effects: async () => (await count()) - before,
    };
  },
  // Without another master key, a rotation only answers which key is in use.
  rotateMasterKey: async () => ({
    send: (headers) => admin.post('/admin/v1/master-keys/rotations', undefined, headers),
  }),
  rotateSigningKey: async () => {
    const count = async (): Promise<number> => (await admin.get('/admin/v1/signing-keys')).body.keys.length;
    const before = await count();
    return {
      send: (headers) => admin.post('/admin/v1/signing-keys/rotations', {}, headers),
      effects: async () => (await count()) - before,
    };
  },
  armSandboxOutcome: async () => {
    const { relyingService } = await newTenant('once, sandbox', { sandbox: true });
    const { at } = await newIdentity(relyingService);
    const body = { outcome: 'document-expired' };
    return { send: (headers) => relyingService.post(`${at}/sandbox/outcome`, body, headers) };
  },
  startChipSession: json('/id-documents/nfc-session', {}),
  authenticateChip: async () => {
    const { at } = await chipSession();
    const body = { dataGroup14: base64(chip.dataGroups[14] ?? Buffer.alloc(0)) };
    return { send: (headers) => tenant.relyingService.post(`${at}/chip-authentication`, body, headers) };
  },
  submitChip: async () => {
    const { identity, at } = await chipSession();
    const dataGroups = { 1: base64(chip.dataGroups[1] ?? Buffer.alloc(0)) };
    const body = { documentSecurityObject: base64(chip.documentSecurityObject), dataGroups };
    return {
      send: (headers) => tenant.relyingService.post(`${at}/data`, body, headers),
      effects: () => listed(identity),
    };
  },
  replayDeadLetters: async () => ({
    send: (headers) => admin.post('/admin/v1/dead-letters/notifier.codes/replay', {}, headers),
  }),
  importCsca: async () => ({
    send: (headers) => admin.upload('/admin/v1/trust/csca', { file: authority.certificate }, headers),
  }),
  importRevocationList: async () => {
    await admin.upload('/admin/v1/trust/csca', { file: authority.certificate }, {});
    const file = authority.revoke([], new Date(), new Date(Date.now() + 24 * 3600_000));
    return { send: (headers) => admin.upload('/admin/v1/trust/crl', { file }, headers) };
  },
  resendDelivery: async () => {
    const identity = await newIdentity(tenant.relyingService);
    await tenant.relyingService.post(`${identity.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
    const at = `/admin/v1/tenants/${tenant.tenantId}/deliveries`;
    const { deliveryId } = await waitFor('the delivery', async () => {
      const { items } = (await admin.get(`${at}?identityId=${identity.id}&state=DELIVERED`)).body;
      return items[0] as { deliveryId: string } | undefined;
    });
    const attempts = async () => receiver.received.filter(({ body }) => body.identityId === identity.id).length - 1;
    return {
      send: (headers) => admin.post(`${at}/${deliveryId}/resend`, undefined, headers),
      effects: () => waitFor('the repetition', async () => (await attempts()) || undefined),
    };
  },
  recoverDeliveries: async () => {
    const at = `/admin/v1/tenants/${tenant.tenantId}/deliveries/recover`;
    return { send: (headers) => admin.post(at, { since: '2026-01-01T00:00:00.000' }, headers) };
  },
  testWebhook: async () => {
    const { tenantId } = tenant;
    return { send: (headers) => admin.post(`/admin/v1/tenants/${tenantId}/webhook/test`, undefined, headers) };
  },
  testEndpoint: async () => {
    const { tenantId } = tenant;
    return { send: (headers) => admin.post(`/admin/v1/tenants/${tenantId}/endpoint/test`, undefined, headers) };
  },
};

test('there is a case for every POST of the API', async () => {
  const { paths } = (await admin.get('/openapi.json')).body as {
    paths: Record<string, { post?: { operationId: string } }>;
  };
  const posts = Object.values(paths).flatMap(({ post }) => (post ? [post.operationId] : []));
  expect(posts.filter((id) => !(id in POSTS))).toEqual([]);
  expect(posts.length).toBeGreaterThan(25);
});

describe('sent fifty times at once with one Idempotency-Key', () => {
  test.each(Object.keys(POSTS))(
    '%s is done once',
    async (id) => {
      const { send, effects } = await POSTS[id]!();
      const headers = { 'Idempotency-Key': randomUUID() };
      const answers = await Promise.all(Array.from({ length: TIMES }, () => send(headers)));
      const done = answers.filter(({ status }) => status === 200);
      const others = answers.filter(({ status }) => status !== 200);
      expect(others.map(({ status, body }) => [status, body.errors[0].code])).toEqual(others.map(() => [409, '4091']));
      expect(done.filter(({ headers: replied }) => !replied.has('idempotency-replayed'))).toHaveLength(1);
      const again = await send(headers);
      for (const { body } of done) expect(body).toEqual(again.body);
      if (effects) expect(await effects()).toBe(1);
    },
    60_000,
  );
});

test('the audit log records all of it in one chain that verifies, and is signed', async () => {
  const at = `/admin/v1/tenants/${tenant.tenantId}/audit`;
  const checkpoint = await waitFor(
    'the checkpoint of the minute',
    async () => (await admin.get(`${at}/checkpoints`)).body.items[0],
    70_000,
  );
  expect(checkpoint).toMatchObject({ chain: tenant.tenantId, jws: expect.stringMatching(/^eyJ/) });
  const { ok, entries } = (await admin.get(`${at}/verification`)).body;
  expect([ok, entries >= checkpoint.seq]).toEqual([true, true]);
}, 80_000);
