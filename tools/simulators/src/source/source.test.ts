import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Listening, listen } from '@assay/http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDvs } from '../dvs/app.ts';
import { createBehaviour } from './behaviour.ts';
import { createBook } from './book.ts';

const nothing = (): void => undefined;
const log = { info: nothing, warn: nothing, error: nothing, debug: nothing, fatal: nothing };
const passport = {
  idDocumentType: 'PASSPORT',
  idDocumentNumber: 'PA 1234567',
  issuingCountry: 'AUS',
  expiryDate: '2031-01-01',
  personalAttributes: {
    dateOfBirth: { value: '1990-04-05' },
    givenNames: [{ value: 'Noor' }],
    surname: { value: 'Haddad' },
    gender: { value: 'F' },
  },
};

describe('the share of questions that get a fault', () => {
  test.each([0.2, 0.1, 0.5, 1, 0])('at %p is exact', (rate) => {
    const behaviour = createBehaviour();
    behaviour.set({ mode: 'outage', rate });
    const treated = Array.from({ length: 100 }, () => behaviour.next(undefined)).filter(
      ({ mode }) => mode === 'outage',
    );
    expect(treated).toHaveLength(rate * 100);
  });
  test('ok ignores the rate', () => {
    const behaviour = createBehaviour();
    behaviour.set({ mode: 'ok', rate: 1 });
    expect(behaviour.next('TX').mode).toBe('ok');
  });
});

describe('the book', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-book-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  test('has its records after a restart, the last of each document, until it is emptied', () => {
    const file = join(folder, 'records.jsonl');
    const book = createBook(file);
    book.put(passport);
    book.put({ ...passport, expiryDate: '2035-01-01' });
    expect(createBook(file).under('PA1234567')).toEqual([{ ...passport, expiryDate: '2035-01-01' }]);
    book.empty();
    expect(createBook(file).under('PA1234567')).toEqual([]);
  });
});

describe('a simulated source', () => {
  let dvs: Listening;
  let url: string;
  beforeAll(async () => {
    dvs = await listen(createDvs({ book: createBook(), log }), { port: 0 });
    url = `http://127.0.0.1:${dvs.port}`;
  });
  afterAll(async () => {
    const closed = dvs.close();
    dvs.server.closeAllConnections();
    await closed;
  });
  test.each([
    ['a text', 'text'],
    ['no object', [passport, 5]],
    ['a number for a text', { ...passport, idDocumentNumber: 5 }],
    ['a text for an object', { ...passport, personalAttributes: 'Ann' }],
  ])('refuses a record that is none: %s', async (_what, body) => {
    const refused = await call('PUT', '/records', body);
    const { errors } = (await refused.json()) as { errors: { code: string }[] };
    expect([refused.status, errors[0]?.code]).toEqual([400, '1006']);
  });

  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const ask = (id: string, more: object = {}) =>
    call('POST', '/dvs/v1/verifications', {
      originatingAgencyCode: 'T',
      verificationRequestNumber: id,
      consentObtained: true,
      verificationDocument: {
        type: 'PassportRequest',
        givenName: 'NOOR',
        familyName: 'HADDAD',
        birthDate: '1990-04-05',
        gender: 'F',
        travelDocumentNumber: 'PA1234567',
        ...more,
      },
    });
  const code = async (reply: Response) =>
    ((await reply.json()) as { verificationResultCode: string }).verificationResultCode;

  test('has the records that were stored, counts each question once, and can empty its book', async () => {
    expect(await code(await ask('a'))).toBe('N');
    expect((await call('PUT', '/records', passport)).status).toBe(200);
    expect(await code(await ask('b'))).toBe('Y');
    expect(await code(await ask('b'))).toBe('Y');
    expect(await code(await ask('c', { birthDate: '1990-04-06' }))).toBe('N');
    expect(await code(await ask('d', { gender: undefined }))).toBe('D');
    expect(await (await call('GET', '/requests')).json()).toEqual({
      count: 4,
      byDocument: { PA1234567: 1, 'PA 1234567': 3 },
    });
    expect((await call('DELETE', '/records')).status).toBe(204);
    expect(await code(await ask('e'))).toBe('N');
  });

  test('takes what is null or blank in a record or a behaviour for absent', async () => {
    const { personalAttributes: person } = passport;
    const personalAttributes = { ...person, givenNames: [...person.givenNames, null], height: { value: null } };
    await call('PUT', '/records', { ...passport, personalAttributes, issuingState: null, cardType: '', address: null });
    expect(await code(await ask('n'))).toBe('Y');
    expect((await call('PUT', '/behaviour', { mode: 'ok', rate: null, delayMs: null })).status).toBe(200);
    await call('DELETE', '/records');
  });

  test.each(['D', 'DEU'])('has the record of a visa in a passport of %s', async (passportCountry) => {
    await call('PUT', '/records', { ...passport, idDocumentType: 'VISA', passportCountry });
    const visa = { type: 'VisaRequest', passportNumber: 'PA1234567', countryOfIssue: 'D' };
    expect(await code(await ask(`${passportCountry} 1`, visa))).toBe('Y');
    expect(await code(await ask(`${passportCountry} 2`, { ...visa, countryOfIssue: 'AUT' }))).toBe('N');
    await call('DELETE', '/records');
  });

  test('is switched on a page, which shows the questions', async () => {
    const switched = await fetch(`${url}/switch`, {
      method: 'POST',
      body: new URLSearchParams({ mode: 'slow' }),
      redirect: 'manual',
    });
    expect([switched.status, switched.headers.get('location')]).toEqual([303, '/']);
    const page = await (await call('GET', '/')).text();
    expect(page).toMatch(/<option value="slow" selected>.*Document number/s);
    expect((await fetch(`${url}/switch`, { method: 'POST', body: new URLSearchParams({ mode: 'odd' }) })).status).toBe(
      400,
    );
    await call('PUT', '/behaviour', { mode: 'ok' });
  });

  test('its control side answers in every mode, and stores records of documents that it does not cover', async () => {
    for (const mode of ['outage', 'slow', 'malformed', 'late', 'ok']) {
      expect((await call('PUT', '/behaviour', { mode, rate: 1, delayMs: 60_000 })).status).toBe(200);
      expect((await call('PUT', '/records', { ...passport, issuingCountry: 'UTO', anything: [1] })).status).toBe(200);
      expect((await call('GET', '/requests')).status).toBe(200);
    }
    expect((await call('PUT', '/behaviour', { mode: 'asleep' })).status).toBe(400);
    const misspelt = await call('PUT', '/behaviour', { mode: 'outage', Rate: 0.2, delayMS: 5 });
    expect(misspelt.status).toBe(400);
    const { errors } = (await misspelt.json()) as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(['Rate', 'delayMS']);
    // And the source behaves as before.
    expect((await (await call('GET', '/')).text()).includes('<option value="ok" selected>')).toBe(true);
  });

  test('an outage is an error reply or a cut connection, a malformed answer cannot be read', async () => {
    await call('PUT', '/behaviour', { mode: 'outage', rate: 1 });
    const seen = new Set<string>();
    for (const id of ['o1', 'o2', 'o3', 'o4'])
      seen.add(
        await ask(id).then(
          async (reply) => (reply.status === 200 ? code(reply) : `${reply.status}`),
          () => 'cut',
        ),
      );
    expect([...seen].sort()).toEqual(['503', 'S', 'cut']);
    await call('PUT', '/behaviour', { mode: 'malformed', rate: 1 });
    for (const id of ['m1', 'm2', 'm3']) {
      const text = await (await ask(id)).text();
      expect(() => JSON.parse(text)).toThrow();
    }
    await call('PUT', '/behaviour', { mode: 'ok' });
  });

  test('a late answer may be wrong, the answer to the same question afterwards is right', async () => {
    await call('PUT', '/records', passport);
    await call('PUT', '/behaviour', { mode: 'late', rate: 1, delayMs: 20, wrong: true });
    expect(await code(await ask('l'))).toBe('N');
    await call('PUT', '/behaviour', { mode: 'ok' });
    expect(await code(await ask('l'))).toBe('Y');
  });
});
