import { connect, type Socket } from 'node:net';
import { apiWith, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

/*
 * Slow requests: what admitted a request is withdrawn after it began and before all of it has
 * arrived. The gateway must accept nothing of it.
 */

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
let skewMs = 0;
beforeAll(async () => {
  process.env.MONGO_COUNT = '1';
  rig = await startRig({ now: () => new Date(Date.now() + skewMs) });
  delete process.env.MONGO_COUNT;
  acme = await rig.tenant();
});
afterAll(() => rig.close());

const FORM = '--B\r\nContent-Disposition: form-data; name="Portrait"; filename="f"\r\n\r\nbytes of it\r\n--B--\r\n';
const JSON_BODY = '[{"approved":true,"type":"PORTRAIT"}]';

/** A request whose body has begun. `finish` sends the rest and returns the status of the answer. */
const begun = (path: string, credential: string, isForm: boolean, more: string[] = []) => {
  const body = isForm ? FORM : JSON_BODY;
  const { hostname, port } = new URL(rig.baseUrl);
  const socket: Socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  const ended = new Promise<number>((resolve) => {
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
  });
  const type = isForm ? 'multipart/form-data; boundary=B' : 'application/json';
  const lines = [credential, `Content-Type: ${type}`, `Content-Length: ${body.length}`, 'Connection: close', ...more];
  let sent = 10;
  socket.write([`POST ${path} HTTP/1.1`, 'Host: test', ...lines, '', body.slice(0, sent)].join('\r\n'));
  return {
    /** Sends one more byte, so that the gateway forwards what came before it. */
    goOn: (): void => {
      socket.write(body.slice(sent, sent + 1));
      sent += 1;
    },
    finish: (): Promise<number> => {
      socket.write(body.slice(sent));
      return ended;
    },
  };
};

const PORTRAIT = '/attributes/portrait/capture';
const taken = () => rig.asked.uploads.length;
/**
 * Moves the gateway's clock by more than a second between the beginning and the end of a request.
 */
const timePasses = (): void => {
  skewMs += 1500;
};
const ready = async () => {
  const identity = await created(acme.rs);
  await acme.rs.post(`${identity.at}/consents`, [{ approved: true, type: 'PORTRAIT' }]);
  return identity;
};
const isProcessing = async (at: string) =>
  (await acme.rs.get(`${at}/status`)).body.globalStatus.status === 'PROCESSING';
const nothingTaken = async (at: string, before: number) => {
  expect(taken()).toBe(before);
  const { singleStatuses, globalStatus } = (await acme.rs.get(`${at}/status`)).body;
  expect([singleStatuses, globalStatus.status]).toEqual([[], 'EXPECTING_INPUT']);
};

describe.each([
  ['a form', true, PORTRAIT, []],
  ['a form under an Idempotency-Key', true, PORTRAIT, ['Idempotency-Key: slow']],
  ['JSON', false, '/consents', []],
] as const)('%s that was begun', (_what, isForm, path, more) => {
  test('with a key that is revoked meanwhile is refused', async () => {
    const { at } = await ready();
    const { keyId, apiKey } = await rig.stores.apiKeys.create({ tenantId: acme.tenantId, role: 'RELYING_SERVICE' });
    const before = taken();
    const request = begun(`${at}${path}`, `apikey: ${apiKey}`, isForm, [...more]);
    await waitFor('the request', async () =>
      (await rig.stores.apiKeys.list(acme.tenantId, undefined, 100)).some(
        (key) => key.keyId === keyId && key.lastUsedAt !== undefined,
      ),
    );
    await rig.stores.apiKeys.delete(acme.tenantId, keyId);
    timePasses();
    expect(await request.finish()).toBe(401);
    await nothingTaken(at, before);
  });
});

describe('a key that another gateway has revoked', () => {
  const revokedElsewhere = async () => {
    const { apiKeys } = rig.stores;
    const { at } = await ready();
    const { keyId, apiKey } = await apiKeys.create({ tenantId: acme.tenantId, role: 'RELYING_SERVICE' });
    const { askedAt } = (await apiKeys.find(apiKey))!;
    const { model, find } = apiKeys;
    return { at, apiKey, revoke: () => model.deleteOne({ _id: keyId }), find: () => find(apiKey), askedAt };
  };
  const consentsAt = async (at: string) => (await rig.stores.identities.read(at.split('/').at(-1)!))?.consents;

  test('is refused a second after it was read, also where a request began within that second', async () => {
    const { at, apiKey, revoke, find, askedAt } = await revokedElsewhere();
    const before = await consentsAt(at);
    await waitFor('the half of a second', () => performance.now() - askedAt > 500);
    const request = begun(`${at}/consents`, `apikey: ${apiKey}`, false);
    await waitFor('the request', async () => (await find())?.key.lastUsedAt !== undefined);
    await revoke();
    await waitFor('the end of the second', async () => (await find()) === undefined);
    expect(await request.finish()).toBe(401);
    expect(await consentsAt(at)).toEqual(before);
  });

  test('is refused where the lock of a request was long in coming', async () => {
    const { at, apiKey, revoke } = await revokedElsewhere();
    const before = await consentsAt(at);
    await revoke();
    const { apiKeys } = rig.stores;
    const client = apiKeys.model.db.getClient();
    const atLock = ({ command }: { command: Record<string, unknown> }): void => {
      if (!Object.values(command).includes('idempotencyKeys')) return;
      client.off('commandStarted', atLock);
      apiKeys.forgetTenants();
      timePasses();
    };
    client.on('commandStarted', atLock);
    const body = [{ approved: true, type: 'EMAIL_OTP' }];
    const { status } = await apiWith(rig.baseUrl, apiKey).post(`${at}/consents`, body, { 'Idempotency-Key': 'late' });
    expect(status).toBe(401);
    expect(await consentsAt(at)).toEqual(before);
  });
});

describe('an upload that was begun', () => {
  test('by a device whose session ends meanwhile is refused', async () => {
    const { at } = await ready();
    const { sessionId, token } = (await acme.rs.post(`${at}/user-agent-sessions`, {})).body;
    const before = taken();
    const request = begun(`${at}${PORTRAIT}`, `Authorization: Bearer ${token}`, true);
    await waitFor('the upload', () => isProcessing(at));
    expect((await acme.rs.delete(`${at}/user-agent-sessions/${sessionId}`)).status).toBe(200);
    timePasses();
    expect(await request.finish()).toBe(401);
    await nothingTaken(at, before);
  });

  test('is refused when the consent it needs is withdrawn meanwhile', async () => {
    const { at } = await ready();
    const before = taken();
    const request = begun(`${at}${PORTRAIT}`, `apikey: ${acme.keys.rs}`, true);
    await waitFor('the upload', () => isProcessing(at));
    await acme.rs.post(`${at}/consents`, [{ approved: false, type: 'PORTRAIT' }]);
    timePasses();
    expect(await request.finish()).toBe(403);
    await nothingTaken(at, before);
  });

  const framesOf = async (at: string): Promise<string> => {
    const path = `${at}/attributes/portrait/live-capture-session`;
    const { sessionId } = (await acme.rs.post(path, { type: 'LIVENESS_PASSIVE' })).body;
    return `/svc/v1/live-capture-sessions/${sessionId}/frames`;
  };

  test.each([
    [
      'the consent of a live session is withdrawn',
      403,
      (at: string) => acme.rs.post(`${at}/consents`, [{ approved: false, type: 'PORTRAIT' }]),
    ],
    ['the identity of a live session is deleted', 410, (at: string) => acme.rs.delete(at)],
  ] as const)('brings no frames when %s meanwhile', async (_what, status, takeBack) => {
    const { at } = await ready();
    const path = await framesOf(at);
    const before = { ...rig.asked.frames };
    const request = begun(path, `apikey: ${acme.keys.rs}`, true);
    await waitFor('the frames', async () => {
      request.goOn();
      return rig.asked.frames.begun > before.begun;
    });
    expect((await takeBack(at)).status).toBe(200);
    timePasses();
    expect(await request.finish()).toBe(status);
    expect(rig.asked.frames.taken).toBe(before.taken);
  });

  test('that repeats one with an unknown outcome leaves that open when it is refused', async () => {
    const { at } = await ready();
    const key = { 'Idempotency-Key': 'repeated' };
    const reservedAt = async () =>
      (await rig.stores.identities.read(at.split('/').at(-1)!))?.reservations[0]?.at.getTime() ?? 0;
    const first = await acme.rs.upload(`${at}${PORTRAIT}`, { Portrait: Buffer.from('FAIL ME') }, key);
    expect(first.status).toBe(503);
    const before = await reservedAt();
    const request = begun(`${at}${PORTRAIT}`, `apikey: ${acme.keys.rs}`, true, ['Idempotency-Key: repeated']);
    await waitFor('the repetition', async () => (await reservedAt()) > before);
    await acme.rs.post(`${at}/consents`, [{ approved: false, type: 'PORTRAIT' }]);
    timePasses();
    expect(await request.finish()).toBe(403);
    expect(await isProcessing(at)).toBe(true);
  });

  test('that repeats one with an unknown outcome, and breaks off, can be repeated as that one', async () => {
    const { at } = await ready();
    const key = { 'Idempotency-Key': 'broken-off' };
    const first = await acme.rs.upload(`${at}${PORTRAIT}`, { Portrait: Buffer.from('FAIL ME') }, key);
    const [reserved] = (await rig.stores.identities.read(at.split('/').at(-1)!))?.reservations ?? [];
    const headers = { ...key, apikey: acme.keys.rs, 'Content-Type': 'multipart/form-data; boundary=B' };
    const cut = await fetch(`${rig.baseUrl}${at}${PORTRAIT}`, { method: 'POST', headers, body: FORM.slice(0, 40) });
    const again = await acme.rs.upload(`${at}${PORTRAIT}`, { Portrait: Buffer.from('a face') }, key);
    expect([first, cut, again].map(({ status }) => status)).toEqual([503, 400, 200]);
    expect(again.body.id).toBe(reserved?.evidenceId);
  });

  test('is accepted if nothing was withdrawn, however long it took', async () => {
    const { at } = await ready();
    const before = taken();
    const request = begun(`${at}${PORTRAIT}`, `apikey: ${acme.keys.rs}`, true);
    await waitFor('the upload', () => isProcessing(at));
    timePasses();
    expect(await request.finish()).toBe(200);
    expect(rig.asked.uploads.slice(before).map(({ bytes }) => bytes.toString())).toEqual([FORM]);
  });
});
