import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSealingKeys } from '@assay/sealing';
import { startWebhookReceiver, type WebhookReceiver } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createReceiver } from '../clients/receiver.ts';
import { parseCidrs } from '../domain/target.ts';
import type { Endpoint } from '../store/endpoints.ts';
import { createSealer } from '../store/sealer.ts';
import { createMakeAttempt } from './attempt.ts';

/* One attempt with the notifier's own client, to a real receiver on this machine. */

const TENANT = '00000000-0000-4000-8000-0000000000aa';
const AT = new Date('2026-03-01T10:00:00.500Z');
const SECRET = 'a webhook secret';
const BODY = Buffer.from('{"event":"Evaluation","identityId":"ü"}');
const sealer = createSealer(createSealingKeys(randomBytes(32)));
const attemptTo = (allowed: readonly string[], timeoutMs?: number) =>
  createMakeAttempt({ receiver: createReceiver(parseCidrs(allowed), timeoutMs), sealer, now: () => AT });
const attempt = attemptTo(['127.0.0.0/8']);

let receiver: WebhookReceiver;
let odd: Server;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  odd = createServer((request, response) => {
    if (request.url === '/redirects') response.writeHead(302, { location: receiver.url }).end();
    if (request.url === '/hangs-up') request.socket.destroy();
    if (request.url === '/never-ends') response.writeHead(200).write('x');
    if (request.url === '/floods') response.writeHead(200).end(Buffer.alloc(8 * 1024 * 1024));
  });
  await new Promise<void>((done) => odd.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await receiver.close();
  odd.closeAllConnections();
  odd.close();
});

const endpoint = (more: Partial<Endpoint> = {}): Endpoint => ({
  _id: TENANT,
  url: receiver.url,
  mode: 'NONE',
  attempts: 3,
  delaySeconds: 10,
  enabled: true,
  deliveryLogSeconds: 604_800,
  consecutiveFailures: 0,
  ...more,
});
const oddly = (path: string) => endpoint({ url: `http://127.0.0.1:${(odd.address() as AddressInfo).port}${path}` });
const lastReceived = () => receiver.received.at(-1);

describe('an attempt', () => {
  test('sends the bytes as they are, under the id of the delivery and the time of the attempt', async () => {
    // When a notification is sent to an endpoint without security
    expect(await attempt(endpoint(), 'delivery-1', BODY)).toMatchObject({ at: AT, statusCode: 200 });
    // Then its bytes arrive as they are, without a signature
    const { raw, headers } = lastReceived()!;
    expect(raw.equals(BODY)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'delivery-1',
      'webhook-timestamp': String(Math.floor(AT.getTime() / 1000)),
    });
    expect(headers).not.toHaveProperty('webhook-signature');
  });

  test('signs what is sent with the secret as it was set, and also with the former one', async () => {
    const [sealedSecret, sealedFormerSecret] = [SECRET, 'the one before'].map((one) => sealer.sealSecret(TENANT, one));
    await attempt(
      endpoint({
        mode: 'HMAC',
        headerName: 'X-Signature',
        sealedSecret: sealedSecret!,
        sealedFormerSecret: sealedFormerSecret!,
      }),
      'delivery-2',
      BODY,
    );
    const { headers, raw } = lastReceived()!;
    expect(headers['x-signature']).toBe(createHmac('sha256', SECRET).update(raw).digest('base64'));
    const signed = `delivery-2.${headers['webhook-timestamp']}.${raw}`;
    const signatures = [SECRET, 'the one before'].map(
      (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
    );
    expect(headers['webhook-signature']).toBe(signatures.join(' '));
  });

  test('has an API key in the header that was set, and marks a sandbox', async () => {
    const sealedSecret = sealer.sealSecret(TENANT, SECRET);
    await attempt(endpoint({ mode: 'API_KEY', headerName: 'X-Key', sealedSecret, sandbox: true }), 'delivery-3', BODY);
    expect(lastReceived()?.headers).toMatchObject({ 'x-key': SECRET, 'assay-sandbox': 'true' });
  });

  test.each([503, 410, 204])('reports the status %i as it came', async (status) => {
    receiver.answerWith(() => status);
    expect(await attempt(endpoint(), 'delivery-4', BODY)).toMatchObject({ statusCode: status });
    receiver.answerWith(() => 200);
  });

  test('follows no redirect', async () => {
    const before = receiver.received.length;
    expect(await attempt(oddly('/redirects'), 'delivery-5', BODY)).toMatchObject({ statusCode: 302 });
    expect(receiver.received).toHaveLength(before);
  });

  test('reports a failure by a code, without the text of the receiver', async () => {
    expect(await attempt(oddly('/hangs-up'), 'delivery-6', BODY)).toMatchObject({ error: 'ECONNRESET' });
    const unreachable = endpoint({ url: 'http://127.0.0.1:1/' });
    expect(await attempt(unreachable, 'delivery-7', BODY)).toMatchObject({ error: 'ECONNREFUSED' });
  });

  test('reads little of an endless reply, and does not wait for its end', async () => {
    expect(await attempt(oddly('/floods'), 'delivery-8', BODY)).toMatchObject({ statusCode: 200 });
    const impatient = attemptTo(['127.0.0.0/8'], 2000);
    expect(await impatient(oddly('/never-ends'), 'delivery-9', BODY)).toMatchObject({ statusCode: 200 });
  });

  test('reaches no address that the operator does not permit, nor one of another protocol', async () => {
    const before = receiver.received.length;
    expect(await attemptTo([])(endpoint(), 'delivery-10', BODY)).toMatchObject({ error: 'BLOCKED' });
    const mail = endpoint({ url: 'http://127.0.0.1:25/' });
    expect(await attempt(mail, 'delivery-11', BODY)).toEqual({ at: AT, error: 'BLOCKED' });
    expect(receiver.received).toHaveLength(before);
  });

  test('cannot open the secret of another tenant', async () => {
    const sealedSecret = sealer.sealSecret('00000000-0000-4000-8000-0000000000bb', SECRET);
    const foreign = endpoint({ mode: 'HMAC', headerName: 'X-Signature', sealedSecret });
    await expect(attempt(foreign, 'delivery-12', BODY)).rejects.toThrow();
  });
});
