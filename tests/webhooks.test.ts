import { createHmac } from 'node:crypto';
import { newIdentity, newTenant, specimen, startWebhookReceiver, type WebhookReceiver, waitFor } from '@assay/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(() => receiver.close());

const verifiedPassport = async (tenant: Awaited<ReturnType<typeof newTenant>>) => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(body.id, 'VERIFIED');
  return { identity, evidenceId: body.id as string };
};
const about = (evidenceId: string) => (webhook: { body: { evidence?: { evidenceId: string } } }) =>
  webhook.body.evidence?.evidenceId === evidenceId;

describe('a webhook', () => {
  test('is signed over the bytes that were sent', async () => {
    const secret = 'sécret';
    const tenant = await newTenant('hmac', {
      webhook: { url: receiver.url, mode: 'HMAC', headerName: 'X-Signature', secret },
    });
    const { evidenceId } = await verifiedPassport(tenant);
    const webhook = await receiver.next('the evaluation', about(evidenceId));
    expect(webhook.headers['x-signature']).toBe(
      createHmac('sha256', Buffer.from(secret, 'utf8')).update(webhook.raw).digest('base64'),
    );
    expect(Object.keys(webhook.body).sort()).toEqual([
      'completedAt',
      'event',
      'evidence',
      'identityId',
      'identityStatus',
    ]);
    expect(webhook.body.completedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
  });

  test('carries the configured key, or nothing', async () => {
    const keyed = await newTenant('api key', {
      webhook: { url: receiver.url, mode: 'API_KEY', headerName: 'X-Callback-Key', secret: 'k' },
    });
    const first = await verifiedPassport(keyed);
    expect((await receiver.next('keyed', about(first.evidenceId))).headers['x-callback-key']).toBe('k');
    const none = await newTenant('none', { webhook: { url: receiver.url, mode: 'NONE' } });
    const second = await verifiedPassport(none);
    expect((await receiver.next('plain', about(second.evidenceId))).headers['x-callback-key']).toBeUndefined();
  });

  test('finds status and identity ready when its receiver calls back', async () => {
    const tenant = await newTenant('calls back', { webhook: { url: receiver.url, mode: 'NONE' } });
    const seen: string[] = [];
    receiver.answerWith(async ({ body }) => {
      const status = await tenant.relyingService.get(
        `/svc/v1/identities/${body.identityId}/status/${body.evidence?.evidenceId}`,
      );
      const identity = await tenant.relyingService.get(`/svc/v1/identities/${body.identityId}`);
      seen.push(
        status.body.status,
        identity.body.idDocuments[0].evidenceStatus.status,
        identity.body.globalStatus.status,
      );
      return 200;
    });
    const { evidenceId } = await verifiedPassport(tenant);
    await receiver.next('the evaluation', about(evidenceId));
    await waitFor('the handler to end', () => seen.length === 3);
    expect(seen).toEqual(['VERIFIED', 'VERIFIED', 'EXPECTING_INPUT']);
  });

  test('is tried again as configured, with the same id and bytes, then stored as FAILED, and can be sent again', async () => {
    const tenant = await newTenant('fails', {
      webhook: { url: receiver.url, mode: 'NONE', attempts: 2, delaySeconds: 1 },
    });
    receiver.answerWith(() => 500);
    const { identity, evidenceId } = await verifiedPassport(tenant);
    const deliveries = `/admin/v1/tenants/${tenant.tenantId}/deliveries`;
    const failed = await waitFor('the delivery to fail', async () => {
      const { body } = await tenant.admin.get(`${deliveries}?identityId=${identity.id}&state=FAILED`);
      return body.items[0];
    });
    expect(failed).toMatchObject({
      identityId: identity.id,
      event: 'Evaluation',
      state: 'FAILED',
      attempts: [{ statusCode: 500 }, { statusCode: 500 }],
    });
    receiver.answerWith(() => 204);
    expect((await tenant.admin.post(`${deliveries}/${failed.deliveryId}/resend`)).status).toBeLessThan(300);
    await waitFor('the third attempt', () => receiver.received.filter(about(evidenceId)).length === 3);
    const attempts = receiver.received.filter(about(evidenceId));
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(attempts.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  test('stops for good when the receiver answers 410', async () => {
    const tenant = await newTenant('gone', {
      webhook: { url: receiver.url, mode: 'NONE', attempts: 5, delaySeconds: 1 },
    });
    receiver.answerWith(() => 410);
    const { identity } = await verifiedPassport(tenant);
    await waitFor('the endpoint to be disabled', async () => {
      const { body } = await tenant.admin.get(`/admin/v1/tenants/${tenant.tenantId}`);
      return body.settings.webhook.enabled === false;
    });
    expect(receiver.received.filter(({ body }) => body.identityId === identity.id)).toHaveLength(1);
    const recover = `/admin/v1/tenants/${tenant.tenantId}/deliveries/recover`;
    const refused = await tenant.admin.post(recover, { since: '2026-01-02T03:04:05.000' });
    expect([refused.status, refused.body.errors[0]]).toEqual([
      409,
      expect.objectContaining({ code: '4090', message: expect.stringContaining('the webhook is off') }),
    ]);
  });
});

test('a target inside the network is refused, and the error names the field', async () => {
  const tenant = await newTenant('inside');
  for (const url of [
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'ftp://example.org/',
    'http://[fd00:ec2::254]/',
    'not a url',
  ]) {
    const refused = await tenant.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, {
      settings: { webhook: { url, mode: 'NONE' } },
    });
    expect([url, refused.status, refused.body.errors[0].field]).toEqual([url, 400, 'settings.webhook.url']);
  }
});
