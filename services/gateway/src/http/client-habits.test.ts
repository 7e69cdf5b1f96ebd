import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant();
});
afterAll(() => rig.close());

const licence = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: '12345',
  issuingCountry: 'AUS',
  issuingState: 'VIC',
  issuingDate: null,
  personalAttributes: {
    dateOfBirth: { value: '1990-01-31' },
    givenNames: [{ value: 'Ann', verified: null }],
    surname: { value: 'Smith' },
    gender: null,
  },
  address: { streetDetails: null, city: 'Melbourne' },
};

describe('a field that a client writes as null', () => {
  test('counts as absent if it is optional', async () => {
    const { at } = await created(acme.rs);
    const consents = [
      { approved: true, type: 'GIV', validityPeriod: null },
      { approved: true, type: 'PORTRAIT', validityPeriod: { from: null, to: '2999-01-01' } },
    ];
    expect((await acme.rs.post(`${at}/consents`, consents)).body).toEqual([
      { consentId: expect.any(String), approved: true, type: 'GIV' },
      { consentId: expect.any(String), approved: true, type: 'PORTRAIT', validityPeriod: { to: '2999-01-01' } },
    ]);
    expect((await acme.rs.post(`${at}/id-documents`, licence)).status).toBe(200);
    expect(rig.asked.submissions.at(-1)?.body.submission.documentText).toEqual({
      idDocumentType: 'DRIVING_LICENSE',
      idDocumentNumber: '12345',
      issuingCountry: 'AUS',
      issuingState: 'VIC',
      personalAttributes: {
        dateOfBirth: { value: '1990-01-31' },
        givenNames: [{ value: 'Ann' }],
        surname: { value: 'Smith' },
      },
      address: { city: 'Melbourne' },
    });
  });

  test('nor are the lines of a street required', async () => {
    const { at } = await created(acme.rs);
    await acme.rs.post(`${at}/consents`, [{ approved: true, type: 'GIV' }]);
    const address = { streetDetails: {}, city: 'Melbourne' };
    expect((await acme.rs.post(`${at}/id-documents`, { ...licence, address })).status).toBe(200);
    expect(rig.asked.submissions.at(-1)?.body.submission.documentText).toMatchObject({ address });
  });

  test.each([
    ['idDocumentNumber', { ...licence, idDocumentNumber: null }],
    ['issuingState', { ...licence, issuingState: null }],
    [
      'personalAttributes.surname',
      { ...licence, personalAttributes: { ...licence.personalAttributes, surname: null } },
    ],
    [
      'personalAttributes.dateOfBirth.value',
      { ...licence, personalAttributes: { ...licence.personalAttributes, dateOfBirth: { value: null } } },
    ],
  ])('counts as missing if it is required: %s', async (field, body) => {
    const { at } = await created(acme.rs);
    const answer = await acme.rs.post(`${at}/id-documents`, body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: '1006', field }] } });
  });
});

test('a very deeply nested creation body counts as empty, also with an Idempotency-Key', async () => {
  const body = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const headers = { apikey: acme.keys.rs, 'content-type': 'application/json', 'Idempotency-Key': 'nested' };
  expect((await fetch(`${rig.baseUrl}/svc/v1/identities`, { method: 'POST', headers, body })).status).toBe(200);
});

test('a request that is repeated under another prefix of the API is the same request', async () => {
  const key = { 'Idempotency-Key': 'moved' };
  const first = await acme.rs.post('/svc/v1/identities', {}, key);
  const again = await acme.rs.post('/gips/v1/identities', {}, key);
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.body).toEqual(first.body);
});

test.each(['/', '?a=b'])('a path that ends in %s repeats the request without it', async (end) => {
  const key = { 'idempotency-key': `spelled with ${end}` };
  const first = (await acme.rs.post('/svc/v1/identities', {}, key)).body.id;
  for (const path of [`/svc/v1/identities${end}`, `/SVC/v1/Identities${end}`, '/svc/v1/identities'])
    expect((await acme.rs.post(path, {}, key)).body.id).toBe(first);
});

test('an id with percent-encoded letters repeats the request with the plain id', async () => {
  const { at, id } = await created(acme.rs);
  const consents = [{ approved: true, type: 'GIV' }];
  const give = (path: string) => acme.rs.post(path, consents, { 'idempotency-key': 'encoded' });
  const first = (await give(`${at}/consents`)).body;
  expect((await give(`/svc/v1/identities/${id.replaceAll('-', '%2d')}/consents`)).body).toEqual(first);
});

describe('a repeat whose members come in another order', () => {
  const first = '{"businessId":"a","context":[{"key":"CORRELATION_ID","value":"b"}]}';
  const again = '{"context":[{"value":"b","key":"CORRELATION_ID"}],"businessId":"a"}';
  const send = async (key: string, body: string) => {
    const headers = { apikey: acme.keys.rs, 'content-type': 'application/json', 'Idempotency-Key': key };
    const reply = await fetch(`${rig.baseUrl}/svc/v1/identities`, { method: 'POST', headers, body });
    return { status: reply.status, body: (await reply.json()) as { id?: string } };
  };

  test('is the same request, and one with another value or order of a list is none', async () => {
    const sent = await send('ordered', first);
    expect([sent.status, await send('ordered', again)]).toEqual([200, sent]);
    expect((await send('ordered', again.replace('"b"', '"c"'))).status).toBe(422);
    expect((await send('listed', '{"context":["a","b"]}')).status).toBe(200);
    expect((await send('listed', '{"context":["b","a"]}')).status).toBe(422);
  });

  test('is compared as it was sent where a former release stored the first one', async () => {
    const sent = await send('stored-before', first);
    await rig.stores.locks.model.updateMany({}, { $unset: { unordered: 1 } });
    expect([sent.status, await send('stored-before', first)]).toEqual([200, sent]);
    expect((await send('stored-before', again)).status).toBe(422);
  });
});
