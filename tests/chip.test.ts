import { readFileSync } from 'node:fs';
import { newIdentity, newTenant, readPassport, readStack, simulatedChip, specimen, waitFor } from '@assay/testing';
import { describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';

const tenantOf = (name: string, settings = {}) => newTenant(name, { acceptSpecimens: true, ...settings });

const raised = ({ positiveIndicators, warningIndicators, unverifiedIndicators }: Record<string, string[]>) => [
  ...positiveIndicators!,
  ...warningIndicators!,
  ...unverifiedIndicators!,
];

/** The status that the identity shows for an evidence, once it is the expected one. */
const outcomeOf = async (identity: Awaited<ReturnType<typeof newIdentity>>, id: string, expected: string) => {
  await identity.becomes(id, expected);
  const { idDocuments } = await identity.get();
  return idDocuments.find(({ evidenceId }: { evidenceId: string }) => evidenceId === id).evidenceStatus;
};

describe('a passport chip', () => {
  test('is VERIFIED at LEVEL4 by chip authentication, and its data are verified', async () => {
    const tenant = await tenantOf('chip authentication');
    const passport = { chipAuthentication: 'ECDH', activeAuthentication: 'none' };
    const { identity, id, at, data, begun } = await readPassport(tenant, passport, { chipAuthentication: true });
    expect(begun.body).toMatchObject({
      status: 'PROCESSING',
      type: 'ID_DOCUMENT',
      dataGroups: [1, 2, 7, 11, 12, 13, 14, 15],
    });
    expect(Buffer.from(begun.body.activeAuthenticationChallenge, 'base64')).toHaveLength(8);
    expect((await tenant.relyingService.post(`${at}/data`, data)).body).toMatchObject({ status: 'PROCESSING', id });
    const status = await outcomeOf(identity, id, 'VERIFIED');
    expect(status).toMatchObject({ score: 'LEVEL4' });
    expect(raised(status)).toContain('CHIP_AUTHENTICATION_CHECK_OK');
    const [document] = (await tenant.relyingService.get(identity.at)).body.idDocuments;
    expect(document).toMatchObject({
      type: 'PASSPORT',
      idDocumentData: {
        idDocumentNumber: 'L898902C3',
        personalAttributes: { surname: { value: 'ERIKSSON', verified: true } },
      },
    });
    expect((await tenant.relyingService.post(`${at}/data`, data)).status).toBe(409);
    expect((await tenant.relyingService.get(`${identity.at}/proof`)).status).toBe(200);
  });

  test('is read once for each Idempotency-Key', async () => {
    const tenant = await tenantOf('chip idempotency');
    const { identity, id, at, data } = await readPassport(tenant, {});
    const bring = () => tenant.relyingService.post(`${at}/data`, data, { 'idempotency-key': 'once' });
    const [first, second] = [await bring(), await bring()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    await identity.becomes(id, 'VERIFIED');
  });

  test.each([
    ['dg-altered', 'PASSIVE_AUTHENTICATION_HASH_CHECK_FAILED', 'INVALID', '1504'],
    ['wrong-signer', 'PASOD_SIGNATURE_CHECK_FAILED', 'INVALID', '1504'],
    ['unknown-csca', 'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK_UNVERIFIED', 'NOT_VERIFIED', '1584'],
    ['cloned', 'ACTIVE_AUTHENTICATION_CHECK_FAILED', 'INVALID', '1504'],
    ['expired-signer', 'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK_FAILED', 'INVALID', '1504'],
  ])('with the fault %s raises %s and ends %s', async (fault, indicator, expected, code) => {
    const tenant = await tenantOf(`chip ${fault}`);
    const { identity, id, at, data } = await readPassport(tenant, { fault, activeAuthentication: 'ECDSA' });
    await tenant.relyingService.post(`${at}/data`, data);
    const status = await outcomeOf(identity, id, expected);
    expect(raised(status)).toContain(indicator);
    expect(status.errors.map((error: { code: string }) => error.code)).toContain(code);
  });

  test('refuses incomplete data, too many bytes, an unknown session, and a session without consent', async () => {
    const tenant = await tenantOf('chip refusals');
    const { at, data } = await readPassport(tenant, {});
    const post = (body: unknown) => tenant.relyingService.post(`${at}/data`, body);
    const { documentSecurityObject: _answer, ...without } = data as Record<string, unknown>;
    expect((await post(without)).body.errors).toMatchObject([{ code: '1006', field: 'documentSecurityObject' }]);
    expect((await post({ ...data, dataGroups: { 2: 'AAAA' } })).body.errors).toMatchObject([{ field: 'dataGroups.1' }]);
    expect((await post({ ...data, comFile: 'A'.repeat(600_000) })).status).toBe(413);
    expect((await tenant.relyingService.post('/svc/v1/nfc-sessions/no-such-session-at-all/data', data)).status).toBe(
      404,
    );
    const identity = await newIdentity(tenant.relyingService);
    await tenant.relyingService.post(`${identity.at}/consents`, [{ type: 'ID_DOCUMENT', approved: false }]);
    const refused = await tenant.relyingService.post(`${identity.at}/id-documents/nfc-session`, {});
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, '3001']);
  });

  test('whose portrait cannot be decoded reports it, but only with consent to portraits', async () => {
    const tenant = await tenantOf('chip portrait');
    const whole = readFileSync(new URL('../specimens/portraits/holder.jpg', import.meta.url));
    const portrait = whole.subarray(0, whole.length / 2).toString('base64');
    const evaluated = async (expected: string, approved: boolean) => {
      const consents = [{ type: 'PORTRAIT', approved }];
      const { identity, id, at, data } = await readPassport(tenant, { portrait }, { consents });
      await tenant.relyingService.post(`${at}/data`, data);
      return outcomeOf(identity, id, expected);
    };
    const { errors } = await evaluated('NOT_VERIFIED', true);
    expect(errors).toMatchObject([{ code: '1615', field: 'dataGroups.2' }]);
    expect(await evaluated('VERIFIED', false)).not.toHaveProperty('errors');
  });

  test('ends NOT_VERIFIED when the reader gives up, and when the session expires', async () => {
    const tenant = await tenantOf('chip ends', { chip: { timeoutSeconds: 1 } });
    const late = await readPassport(tenant, {});
    expect(await outcomeOf(late.identity, late.id, 'NOT_VERIFIED')).toMatchObject({
      errors: [{ code: expect.any(String) }],
    });
    expect((await tenant.relyingService.post(`${late.at}/data`, late.data)).status).toBe(409);
    const patient = await tenantOf('chip gives up');
    const gaveUp = await readPassport(patient, {});
    await patient.relyingService.post(`${gaveUp.at}/data`, { errors: [{ code: 'TAG_LOST', message: 'tag was lost' }] });
    expect((await outcomeOf(gaveUp.identity, gaveUp.id, 'NOT_VERIFIED')).errors).toMatchObject([{ code: '1616' }]);
  });

  test('trusts a country only as long as an administrator does', async () => {
    const tenant = await tenantOf('chip trust');
    const { items } = (await tenant.admin.get('/admin/v1/trust/csca?country=ut')).body;
    expect(items).toMatchObject([{ country: 'UT', level: 'SINGLE', source: 'seed' }]);
    expect((await tenant.relyingService.get('/admin/v1/trust/csca')).status).toBe(403);
    expect((await tenant.admin.upload('/admin/v1/trust/csca', { file: specimen('passport.jpg') })).status).toBe(400);
    expect((await tenant.admin.delete('/admin/v1/trust/csca/none')).status).toBe(404);
  });
});

test('an image and the chip of one document are one piece of evidence', async () => {
  const tenant = await tenantOf('image and chip');
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(body.id, 'VERIFIED');
  const shown = (await tenant.relyingService.get(identity.at)).body.idDocuments[0].idDocumentData;
  const once = { 'idempotency-key': 'session-of-the-chip' };
  const begin = () =>
    tenant.relyingService.post(`${identity.at}/id-documents/nfc-session`, { evidenceId: body.id }, once);
  const session = await begin();
  expect(session.body.accessKey).toMatchObject({
    dateOfBirth: shown.personalAttributes.dateOfBirth.value.slice(2).replaceAll('-', ''),
    dateOfExpiry: shown.expiryDate.slice(2).replaceAll('-', ''),
  });
  // As if the process died after the effect, before it stored the reply.
  const mongo = await mongoose.createConnection(readStack().mongoUrl).asPromise();
  const { modifiedCount } = await mongo
    .useDb(`${readStack().names.databases}gateway`)
    .db!.collection('idempotencyKeys')
    .updateMany(
      { identityId: identity.id },
      { $set: { leaseUntil: new Date(0) }, $unset: { sealedReply: 1, fingerprint: 1 } },
    );
  await mongo.close();
  expect(modifiedCount).toBe(1);
  const again = await begin();
  expect([again.status, again.body]).toEqual([200, session.body]);

  const { chipId } = await simulatedChip('/passports', {
    documentNumber: shown.idDocumentNumber,
    surname: shown.personalAttributes.surname.value,
    givenNames: shown.personalAttributes.givenNames.map(({ value }: { value: string }) => value).join(' '),
    dateOfBirth: shown.personalAttributes.dateOfBirth.value,
    gender: shown.personalAttributes.gender?.value,
    dateOfExpiry: shown.expiryDate,
    issuingCountry: shown.issuingCountry,
  });
  const data = await simulatedChip(`/passports/${chipId}/read`, session.body);
  await tenant.relyingService.post(`/svc/v1/nfc-sessions/${session.body.sessionId}/data`, data);
  await waitFor('the chip is judged', async () => {
    const { body: status } = await tenant.relyingService.get(`${identity.at}/status/${session.body.id}`);
    return status.status !== 'PROCESSING';
  });
  const { globalStatus } = (await tenant.relyingService.get(`${identity.at}/status`)).body;
  // One document at LEVEL3 or LEVEL4 without a portrait reaches LOA1; two would reach LOA2.
  expect(globalStatus.levelOfAssurance).toBe('LOA1');
});

test('openapi.json lists the routes of chips and of the trust store', async () => {
  const { baseUrl } = readStack();
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: Record<string, unknown> };
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      '/svc/v1/identities/{identityId}/id-documents/nfc-session',
      '/svc/v1/nfc-sessions/{sessionId}/chip-authentication',
      '/svc/v1/nfc-sessions/{sessionId}/data',
      '/admin/v1/trust/csca',
      '/admin/v1/trust/crl',
    ]),
  );
});
