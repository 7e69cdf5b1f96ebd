import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from './testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant();
});
afterAll(() => rig.close());

const consents = [
  { approved: true, type: 'GIV' },
  { approved: true, type: 'PORTRAIT', validityPeriod: { to: '2999-01-01' } },
];
const image = Buffer.from('not looked at here');
const text = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: '12345',
  issuingCountry: 'AUS',
  issuingState: 'VIC',
  personalAttributes: {
    dateOfBirth: { value: '1990-01-31' },
    givenNames: [{ value: 'Ann' }],
    surname: { value: 'Smith' },
  },
};
const eventsOf = (identityId: string) => rig.published.filter((event) => event.identityId === identityId);
const notifications = (identityId: string) =>
  eventsOf(identityId)
    .filter(({ type }) => type === 'evaluation.published')
    .map(({ data }) => (data.evidence as { evidenceOperation: string }).evidenceOperation);

describe('the typical flow', () => {
  test('from the creation to the proof that closes the identity', async () => {
    const { id, at } = await created(acme.rs);
    const creation = (await acme.rs.get(at)).body;
    expect(creation.globalStatus).toMatchObject({
      id,
      status: 'EXPECTING_INPUT',
      levelOfAssurance: 'LOA0',
      upgradePaths: {},
    });
    const recorded = await acme.rs.post(`${at}/consents`, consents);
    expect(recorded.body).toEqual([
      { consentId: expect.any(String), approved: true, type: 'GIV' },
      { consentId: expect.any(String), ...consents[1] },
    ]);
    const submitted = await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image });
    expect(submitted).toMatchObject({ status: 200, body: { status: 'PROCESSING', type: 'ID_DOCUMENT' } });
    const evidenceId = submitted.body.id;
    expect(rig.asked.uploads.at(-1)?.bytes.includes(image)).toBe(true);
    expect((await acme.rs.get(`${at}/status/${evidenceId}`)).body).toEqual({
      status: 'PROCESSING',
      type: 'ID_DOCUMENT',
      id: evidenceId,
    });
    expect((await acme.rs.get(`${at}/proof`)).body.errors[0].code).toBe('4031');
    await rig.evaluate(id, { evidenceId }, { levelOfAssurance: 'LOA1' });
    await waitFor(
      'the evaluation',
      async () => (await acme.rs.get(`${at}/status/${evidenceId}`)).body.status === 'VERIFIED',
    );
    await waitFor('the notification', () => notifications(id).length === 1);
    const full = (await acme.rs.get(at)).body;
    expect(full.globalStatus).toMatchObject({ levelOfAssurance: 'LOA1', status: 'EXPECTING_INPUT' });
    expect(full.idDocuments[0]).toMatchObject({
      type: 'PASSPORT',
      idDocumentData: {},
      evidenceStatus: { score: 'LEVEL2' },
    });
    const proof = await acme.rs.get(`${at}/proof`);
    expect(proof.status).toBe(200);
    expect(proof.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=[\w-]+$/);
    expect((await acme.rs.get(at)).status).toBe(410);
    expect(rig.asked.proofs.at(-1)).toMatchObject({ identity: { globalStatus: { id } }, evidenceIds: [evidenceId] });
    const again = await acme.rs.get(`${at}/proof`);
    expect(again.bytes.equals(proof.bytes)).toBe(true);
    await waitFor('the closing', () => eventsOf(id).some(({ type }) => type === 'identity.closed'));
  });

  test('text and health card need the GIV consent and are checked', async () => {
    const { at } = await created(acme.ua);
    expect((await acme.ua.post(`${at}/id-documents`, text)).body.errors[0].code).toBe('3001');
    await acme.ua.post(`${at}/consents`, consents);
    expect((await acme.ua.post(`${at}/id-documents`, text)).body).toMatchObject({ type: 'DRIVING_LICENSE' });
    const bad = { ...text, personalAttributes: { ...text.personalAttributes, dateOfBirth: { value: '1990-02-30' } } };
    const refused = await acme.ua.post(`${at}/id-documents`, bad);
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ code: '1006', field: 'personalAttributes.dateOfBirth.value' }] },
    });
    const card = {
      cardNumber: '2296818481',
      cardType: 'G',
      expiryDate: '2030-01-01',
      personalAttributes: { fullname: { value: 'Ann Smith' }, dateOfBirth: { value: '1990-01-31' } },
    };
    expect((await acme.ua.post(`${at}/id-document/aus/medicare`, card)).body).toMatchObject({ type: 'MEDICARE' });
  });

  test('a portrait without the consent is refused before anything is read; a new one replaces the former', async () => {
    const { id, at } = await created(acme.rs);
    const uploads = rig.asked.uploads.length;
    const refused = await acme.rs.upload(`${at}/attributes/portrait/capture`, { Portrait: image });
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: '3001' }] } });
    expect(rig.asked.uploads).toHaveLength(uploads);
    expect((await acme.rs.get(`${at}/status`)).body).toEqual({
      globalStatus: expect.objectContaining({ status: 'EXPECTING_INPUT', levelOfAssurance: 'LOA0' }),
      singleStatuses: [],
    });
    await acme.rs.post(`${at}/consents`, consents);
    const first = (await acme.rs.upload(`${at}/attributes/portrait/capture`, { Portrait: image })).body;
    const second = (await acme.rs.upload(`${at}/attributes/portrait/capture`, { Portrait: image })).body;
    expect((await acme.rs.get(`${at}/status/${first.id}`)).status).toBe(404);
    expect((await acme.rs.get(at)).body.portrait.evidenceId).toBe(second.id);
    await waitFor('the replacement', () =>
      eventsOf(id).some(({ type, data }) => type === 'evidence.deleted' && data.reason === 'REPLACED'),
    );
    expect(notifications(id)).toEqual([]);
  });

  test('a refused upload leaves nothing behind', async () => {
    const { at } = await created(acme.rs);
    const refused = await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: Buffer.from('REFUSE ME') });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: '1508', field: 'DocumentFront' }] } });
    expect((await acme.rs.get(`${at}/status`)).body).toEqual({
      globalStatus: expect.objectContaining({ status: 'EXPECTING_INPUT', levelOfAssurance: 'LOA0' }),
      singleStatuses: [],
    });
  });

  test('a deletion of an evidence is announced once, and the evidence answers 404 from then on', async () => {
    const { id, at } = await created(acme.rs);
    const { body } = await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image });
    expect((await acme.ua.delete(`${at}/evidences/${body.id}`)).status).toBe(403);
    expect((await acme.rs.delete(`${at}/evidences/${body.id}`)).status).toBe(200);
    expect((await acme.rs.get(`${at}/status/${body.id}`)).status).toBe(404);
    await rig.evaluate(id, { evidenceId: body.id });
    await waitFor('the notification', () => notifications(id).length === 1);
    expect(notifications(id)).toEqual(['DELETED']);
  });

  test('of evaluations in any order each is announced once, the first as CREATED', async () => {
    const { id, at } = await created(acme.rs);
    const { body } = await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image });
    await rig.evaluate(id, { evidenceId: body.id, evidenceRevision: 3, status: 'VERIFIED' }, { caseRevision: 3 });
    await waitFor('the first', () => notifications(id).length === 1);
    await rig.evaluate(id, { evidenceId: body.id, evidenceRevision: 2, status: 'NOT_VERIFIED' }, { caseRevision: 2 });
    await rig.evaluate(id, { evidenceId: body.id, evidenceRevision: 3, status: 'VERIFIED' }, { caseRevision: 3 });
    await waitFor('the second', () => notifications(id).length === 2);
    expect(notifications(id)).toEqual(['CREATED', 'UPDATED']);
    expect((await acme.rs.get(`${at}/status/${body.id}`)).body.status).toBe('VERIFIED');
  });
});

describe('who may do what', () => {
  test('no key, a wrong key, a wrong role, another tenant', async () => {
    const { at } = await created(acme.rs);
    const other = await rig.tenant();
    const bare = await fetch(`${rig.baseUrl}${at}`);
    expect(bare.status).toBe(401);
    expect(bare.headers.get('content-type')).toBe('application/problem+json');
    expect((await fetch(`${rig.baseUrl}${at}`, { headers: { apiKey: 'no such key' } })).status).toBe(401);
    expect((await acme.ua.get(`${at}/proof`)).status).toBe(403);
    expect((await acme.ua.get('/svc/v1/identities/unknown/proof')).status).toBe(403);
    expect((await acme.op.get(at)).status).toBe(403);
    const foreign = await other.rs.get(at);
    const unknown = await other.rs.get('/svc/v1/identities/00000000-0000-4000-8000-000000000000');
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
  });

  test('an unknown method gets 405, HEAD has no effect, both prefixes work', async () => {
    const { id, at } = await created(acme.rs);
    const wrong = await acme.rs.put(`${at}/proof`, {});
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('GET');
    const head = await fetch(`${rig.baseUrl}${at}/proof`, { method: 'HEAD', headers: { apikey: acme.keys.rs } });
    expect(head.status).toBe(405);
    expect((await acme.rs.get(`/gips/v1/identities/${id}`)).status).toBe(200);
    expect((await acme.rs.get('/gips/healthcheck')).body.status).toBe('UP');
  });

  test('a user agent sees a reduced evidenceStatus', async () => {
    const { id, at } = await created(acme.ua);
    const { body } = await acme.ua.upload(`${at}/id-documents/capture`, { DocumentFront: image });
    await rig.evaluate(id, { evidenceId: body.id });
    await waitFor(
      'the evaluation',
      async () => (await acme.ua.get(`${at}/status/${body.id}`)).body.status === 'VERIFIED',
    );
    const [document] = (await acme.ua.get(at)).body.idDocuments;
    expect(Object.keys(document.evidenceStatus).sort()).toEqual(['evaluationDateTime', 'isAdjudicable', 'status']);
  });
});

describe('the proof', () => {
  test('two retrievals at once give the same bytes, and a later submission gets 409 or 410', async () => {
    const { at } = await created(acme.rs);
    const proofs = await Promise.all([acme.rs.get(`${at}/proof`), acme.rs.get(`${at}/proof`)]);
    expect(proofs.map(({ status }) => status)).toEqual([200, 200]);
    expect(proofs[0]?.bytes.equals(proofs[1]?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect((await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image })).status).toBe(410);
  });

  test('retrievals during the closing by another one get the same bytes', async () => {
    const { at } = await created(acme.rs);
    let isClosed = false;
    const first = acme.rs.get(`${at}/proof`).finally(() => {
      isClosed = true;
    });
    const others: (typeof first)[] = [];
    while (!isClosed && others.length < 300) {
      others.push(acme.rs.get(`${at}/proof`));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const answers = await Promise.all([first, ...others]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('one whose builder died is taken over under its id; the client waits for one that is still being built', async () => {
    const { id, at } = await created(acme.rs);
    // The lease has ended, but not so long ago that the sweep abandons the build.
    const proof = { proofId: newId(), leaseUntil: new Date(Date.now() - 1000), tenantRole: 'RELYING_SERVICE' };
    await rig.stores.identities.model.collection.updateOne({ _id: id } as never, {
      $set: { state: 'PROVING', proof },
      $inc: { revision: 1 },
    });
    const [one, two] = await Promise.all([acme.rs.get(`${at}/proof`), acme.rs.get(`${at}/proof`)]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.bytes.equals(two.bytes)).toBe(true);
    const built = rig.asked.proofs.filter(({ identity }) => identity.globalStatus.id === id);
    expect(built.map(({ proofId }) => proofId)).toEqual([proof.proofId]);
  });

  test('one that cannot be built yet leaves the identity open', async () => {
    const { at } = await created(acme.rs);
    rig.asked.proofsNotReady = 1;
    const refused = await acme.rs.get(`${at}/proof`);
    expect(refused).toMatchObject({ status: 503, body: { errors: [{ code: '5031' }] } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image })).status).toBe(200);
  });

  test('whose archive was destroyed while it was asked for is gone, as its identity is', async () => {
    const { at } = await created(acme.rs);
    expect((await acme.rs.get(`${at}/proof`)).status).toBe(200);
    rig.asked.archivesDestroyed = true;
    expect(await acme.rs.get(`${at}/proof`)).toMatchObject({ status: 410, body: { errors: [{ code: '4100' }] } });
    rig.asked.archivesDestroyed = false;
  });

  test('of a submission and a retrieval that race, one wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { at } = await created(acme.rs);
      const [submission, proof] = await Promise.all([
        acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image }),
        acme.rs.get(`${at}/proof`),
      ]);
      const outcome = `${submission.status} ${proof.status}`;
      expect(['200 403', '409 200', '410 200']).toContain(outcome);
    }
  });
});

describe('the end of a transaction', () => {
  test('remains after a late repetition of its creation, which leaves no key', async () => {
    const again = () => acme.rs.post('/svc/v1/identities', {}, { 'idempotency-key': 'created-twice' });
    const { id } = (await again()).body;
    expect((await acme.rs.delete(`/svc/v1/identities/${id}`)).status).toBe(200);
    // As if the reply to the first request had never been stored.
    const unknown = { $unset: { sealedReply: 1, fingerprint: 1 }, $set: { leaseUntil: new Date(0) } };
    await rig.stores.locks.model.updateOne({ seedId: id }, unknown);
    expect(await again()).toMatchObject({ status: 200, body: { id } });
    expect(await rig.keys.collection<{ _id: string }>('identityKeys').findOne({ _id: id })).toBeNull();
    expect((await acme.rs.get(`/svc/v1/identities/${id}`)).status).toBe(410);
  });

  test('a timeout closes it, notifies the client and destroys its key', async () => {
    const brief = await rig.tenant({ transactionLifetimeSeconds: 1 });
    const { id, at } = await created(brief.rs);
    await waitFor('the end', async () => (await brief.rs.get(at)).status === 410, 5000);
    await waitFor('both events', () => eventsOf(id).some(({ type }) => type === 'identity.closed'));
    const [status] = eventsOf(id).filter(({ type }) => type === 'identity.status-changed');
    expect(status?.data).toMatchObject({ identityStatus: 'TIMEOUT', notify: true });
    expect(await rig.stores.keys.find(id)).toBeUndefined();
  });

  test('pauses if the tenant has that feature, resumes, and is deleted with its tombstone', async () => {
    const patient = await rig.tenant({
      transactionLifetimeSeconds: 1,
      pauseResume: { enabled: true, pauseDurationSeconds: 3600 },
      retention: { tombstoneSeconds: 3 },
    });
    const { id, at } = await created(patient.rs);
    await waitFor(
      'the pause',
      async () => (await patient.rs.get(`${at}/status`)).body.globalStatus.status === 'PAUSED',
      5000,
    );
    expect((await patient.rs.post(`${at}/consents`, consents)).status).toBe(409);
    const resumed = await patient.rs.post(`${at}/resume`);
    expect(resumed).toMatchObject({ status: 200, body: { id, status: 'EXPECTING_INPUT' } });
    expect((await patient.rs.delete(at)).status).toBe(200);
    expect((await patient.rs.get(at)).status).toBe(410);
    await waitFor('the tombstone to go', async () => (await patient.rs.get(at)).status === 404, 10_000);
  });
});

test('events of unknown identities, as after a restored backup, have no effect and do not block later ones', async () => {
  for (let n = 0; n < 30; n += 1) await rig.evaluate(newId(), { evidenceId: newId() });
  const { id, at } = await created(acme.rs);
  const { body } = await acme.rs.upload(`${at}/id-documents/capture`, { DocumentFront: image });
  await rig.evaluate(id, { evidenceId: body.id });
  await waitFor('the one behind them', () => notifications(id).length === 1);
  expect(await rig.bus.deadLetters.list()).toEqual([]);
});
