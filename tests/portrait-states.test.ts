import { newIdentity, newTenant, specimen, type Tenant } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Ears, type Identity, openEars, remove, selfie, submitted } from './setup/ears.ts';

/**
 * The rows of the specification's table of evidence states that concern the portrait, with the
 * webhooks that each must send, and no others.
 */

let ears: Ears;
let tenant: Tenant;
beforeAll(async () => {
  ears = await openEars();
  tenant = await newTenant('portrait states', { webhook: ears.webhook });
});
afterAll(() => ears.close());

const referenceOf = async (identity: Identity) => (await identity.get()).globalStatus.portraitReferenceEvidenceId;
const portraitReference = async (identity: Identity, image: string) => {
  const { body } = await tenant.relyingService.upload(`${identity.at}/portrait-reference`, {
    Portrait: specimen(image),
  });
  await identity.becomes(body.id, 'VERIFIED');
};

describe('a portrait', () => {
  test('is NOT_VERIFIED before any reference, and VERIFIED once there is one', async () => {
    const identity = await newIdentity(tenant.relyingService);
    const portrait = await selfie(identity, 'selfie-same.jpg', 'NOT_VERIFIED');
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    await identity.becomes(portrait, 'VERIFIED');
    await ears.hears(tenant, identity, 'CREATED PORTRAIT', 'CREATED PASSPORT', 'UPDATED PORTRAIT');
  });

  test('is NOT_VERIFIED before any reference, and INVALID once there is another person', async () => {
    const identity = await newIdentity(tenant.relyingService);
    const portrait = await selfie(identity, 'selfie-other.jpg', 'NOT_VERIFIED');
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    await identity.becomes(portrait, 'INVALID');
    await ears.hears(tenant, identity, 'CREATED PORTRAIT', 'CREATED PASSPORT', 'UPDATED PORTRAIT');
  });

  test('sent right after its document waits for it, and is announced once', async () => {
    const identity = await newIdentity(tenant.relyingService);
    await identity.consent('PORTRAIT');
    const document = await identity.document(specimen('passport.jpg'));
    const portrait = await identity.portrait(specimen('selfie-same.jpg'));
    expect(await identity.stable(portrait.body.id)).toMatchObject({ status: 'VERIFIED' });
    await identity.becomes(document.body.id, 'VERIFIED');
    await ears.hears(tenant, identity, 'CREATED PASSPORT', 'CREATED PORTRAIT');
  });

  test.each([
    ['VERIFIED', 'selfie-same.jpg'],
    ['INVALID', 'selfie-other.jpg'],
  ])('that is %s becomes NOT_VERIFIED when its reference is deleted', async (status, image) => {
    const identity = await newIdentity(tenant.relyingService);
    const document = await submitted(identity, 'passport.jpg', 'VERIFIED');
    const portrait = await selfie(identity, image, status);
    expect((await remove(tenant, identity, document)).status).toBeLessThan(300);
    await identity.becomes(portrait, 'NOT_VERIFIED');
    expect((await identity.get()).globalStatus.levelOfAssurance).toBe('LOA0');
    expect((await tenant.relyingService.get(`${identity.at}/status/${document}`)).status).toBe(404);
    await ears.hears(tenant, identity, 'CREATED PASSPORT', 'CREATED PORTRAIT', 'DELETED PASSPORT', 'UPDATED PORTRAIT');
  });

  test('moves between VERIFIED and INVALID with another reference', async () => {
    const identity = await newIdentity(tenant.relyingService);
    const own = await submitted(identity, 'passport.jpg', 'VERIFIED');
    const portrait = await selfie(identity, 'selfie-same.jpg', 'VERIFIED');
    const other = await submitted(identity, 'passport-other-portrait.jpg', 'VERIFIED');
    expect((await identity.status(portrait)).status).toBe('VERIFIED');
    await remove(tenant, identity, own);
    await identity.becomes(portrait, 'INVALID');
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    await remove(tenant, identity, other);
    await identity.becomes(portrait, 'VERIFIED');
    const passports = [
      'CREATED PASSPORT',
      'CREATED PASSPORT',
      'CREATED PASSPORT',
      'DELETED PASSPORT',
      'DELETED PASSPORT',
    ];
    await ears.hears(tenant, identity, ...passports, 'CREATED PORTRAIT', 'UPDATED PORTRAIT', 'UPDATED PORTRAIT');
  });

  test.each([
    ['VERIFIED', 'INVALID', 'portraits/holder.jpg', 'passport-other-portrait.jpg'],
    ['INVALID', 'VERIFIED', 'selfie-other.jpg', 'passport.jpg'],
  ])(
    'that is %s by a portrait reference becomes %s when a document is added',
    async (first, then, reference, front) => {
      const identity = await newIdentity(tenant.relyingService);
      await identity.consent('PORTRAIT');
      await portraitReference(identity, reference);
      const before = await referenceOf(identity);
      const portrait = await selfie(identity, 'selfie-same.jpg', first);
      const document = await submitted(identity, front, 'VERIFIED');
      await identity.becomes(portrait, then);
      expect([before === document, await referenceOf(identity)]).toEqual([false, document]);
      await ears.hears(
        tenant,
        identity,
        'CREATED PORTRAIT_REFERENCE',
        'CREATED PORTRAIT',
        'CREATED PASSPORT',
        'UPDATED PORTRAIT',
      );
    },
  );

  test('that replaces another leaves one portrait, and the former answers 404', async () => {
    const identity = await newIdentity(tenant.relyingService);
    const first = await selfie(identity, 'selfie-other.jpg', 'NOT_VERIFIED');
    const second = await selfie(identity, 'selfie-same.jpg', 'NOT_VERIFIED');
    expect((await tenant.relyingService.get(`${identity.at}/status/${first}`)).status).toBe(404);
    expect((await identity.get()).portrait.evidenceId).toBe(second);
    await ears.hears(tenant, identity, 'CREATED PORTRAIT', 'CREATED PORTRAIT');
  });
});
