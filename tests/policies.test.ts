import { inspectProof, readKeys } from '@assay/client';
import { newIdentity, newTenant, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Ears, type Identity, openEars, selfie, submitted } from './setup/ears.ts';

/**
 * A tenant switches its policy while identities run. They use their first policy until an
 * administrator re-evaluates them.
 */

let ears: Ears;
beforeAll(async () => {
  ears = await openEars();
});
afterAll(() => ears.close());

const passport = (identity: Identity, status: string) => submitted(identity, 'passport.jpg', status);
const portrayed = (identity: Identity, status: string) => selfie(identity, 'selfie-same.jpg', status);
const switchTo = async (tenant: Tenant, policy: string): Promise<void> => {
  const { status } = await tenant.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings: { policy } });
  expect(status).toBe(200);
};
const reEvaluate = (tenant: Tenant, identity: Identity, policy?: string) =>
  tenant.admin.post(`/admin/v1/identities/${identity.id}/re-evaluation`, policy === undefined ? {} : { policy });
const policyInForce = async (tenant: Tenant, identity: Identity): Promise<string> => {
  const { body } = await tenant.admin.get(`/admin/v1/identities/${identity.id}/explanation`);
  return body.evaluation.policy.name;
};
const tenantUsed = async (identity: Identity): Promise<string> => {
  const keys = readKeys(await (await fetch(`${readStack().baseUrl}/.well-known/jwks.json`)).text());
  const { report, contents } = await inspectProof((await identity.proof()).bytes, keys);
  expect(report.reasons).toEqual([]);
  return JSON.parse(contents!.json['proof.json']!.toString()).tenantUsed;
};
const pids = (): number[] => Object.values(readStack().services).flatMap((copies) => copies.map(({ pid }) => pid));

test('a switch of policy needs no restart: running identities use the former one, new identities the new one', async () => {
  const tenant = await newTenant('policies', { webhook: ears.webhook });
  const before = pids();
  const running = await newIdentity(tenant.relyingService);
  await passport(running, 'VERIFIED');
  await switchTo(tenant, 'strict');

  const fresh = await newIdentity(tenant.relyingService);
  await passport(fresh, 'NOT_VERIFIED');
  expect(await policyInForce(tenant, fresh)).toBe('strict');

  // The former policy also applies to evidence that comes after the switch.
  await portrayed(running, 'VERIFIED');
  expect(await policyInForce(tenant, running)).toBe('default');
  expect((await running.get()).globalStatus.levelOfAssurance).toBe('LOA2');
  await ears.hears(tenant, running, 'CREATED PASSPORT', 'CREATED PORTRAIT');
  expect(await tenantUsed(running)).toMatch(/^default \d/);
  expect(await tenantUsed(fresh)).toMatch(/^strict \d/);
  expect(pids()).toEqual(before);
});

test('re-evaluation moves a running identity to the present policy, announces what changed, and can be reversed', async () => {
  const tenant = await newTenant('re-evaluation', { webhook: ears.webhook });
  const identity = await newIdentity(tenant.relyingService);
  const document = await passport(identity, 'VERIFIED');
  const portrait = await portrayed(identity, 'VERIFIED');
  const { body: expired } = await identity.document(specimen('passport-expired.jpg'));
  await identity.becomes(expired.id, 'INVALID');
  await switchTo(tenant, 'strict');

  const preview = await tenant.admin.post(`/admin/v1/identities/${identity.id}/evaluation`, { policy: 'strict' });
  expect(preview.body.changes).toContain('levelOfAssurance: LOA2 -> LOA0');
  expect((await identity.get()).globalStatus.levelOfAssurance).toBe('LOA2');

  expect((await reEvaluate(tenant, identity)).body).toEqual({
    policy: { name: 'strict', version: expect.any(String) },
  });
  await identity.becomes(document, 'NOT_VERIFIED');
  await identity.becomes(portrait, 'NOT_VERIFIED');
  expect((await identity.get()).globalStatus.levelOfAssurance).toBe('LOA0');
  expect((await identity.status(expired.id)).status).toBe('INVALID');

  expect((await reEvaluate(tenant, identity, 'default')).status).toBe(200);
  await identity.becomes(document, 'VERIFIED');
  await identity.becomes(portrait, 'VERIFIED');
  expect((await identity.status(expired.id)).status).toBe('INVALID');
  const updates = ['UPDATED PASSPORT', 'UPDATED PASSPORT', 'UPDATED PORTRAIT', 'UPDATED PORTRAIT'];
  const created = ['CREATED PASSPORT', 'CREATED PASSPORT', 'CREATED PORTRAIT'];
  await ears.hears(tenant, identity, ...created, ...updates);

  // Another policy, whose results do not differ from the present ones. The proof names it all the
  // same.
  await reEvaluate(tenant, identity, 'nist-800-63a-4');
  await waitFor('the policy', async () => (await policyInForce(tenant, identity)) === 'nist-800-63a-4');
  await waitFor('the portrait', async () => (await identity.get()).portrait.evidenceStatus.status === 'VERIFIED');
  const { body: log } = await tenant.admin.get(`/admin/v1/tenants/${tenant.tenantId}/audit`);
  const acts = log.items.map(({ content }: { content: { act: string } }) => content.act);
  expect(acts.filter((act: string) => act === 'identity.re-evaluate')).toHaveLength(3);
  expect(await tenantUsed(identity)).toMatch(/^nist-800-63a-4 \d/);
});

test('re-evaluation names what is wrong with the request', async () => {
  const tenant = await newTenant('re-evaluation refused');
  const identity = await newIdentity(tenant.relyingService);
  const unknown = await reEvaluate(tenant, identity, 'lenient');
  expect([unknown.status, unknown.body.errors[0]]).toEqual([
    400,
    { code: '1006', field: 'policy', message: expect.stringContaining('default, gpg45, nist-800-63a-4, strict') },
  ]);
  expect((await tenant.admin.post('/admin/v1/identities/nobody/re-evaluation', {})).status).toBe(404);
  const path = `/admin/v1/identities/${identity.id}/re-evaluation`;
  expect((await tenant.operator.post(path, {})).status).toBe(403);
  expect((await tenant.relyingService.post(path, {})).status).toBe(403);
  await identity.proof();
  expect([409, 410]).toContain((await reEvaluate(tenant, identity)).status);
});
