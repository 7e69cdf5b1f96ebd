import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSources } from './clients/connectors.ts';
import { readSourceFiles } from './clients/source-files.ts';
import { createAttempts } from './testing/attempts.ts';
import { aLicence } from './testing/simulators.ts';

// A third source, of another country and with a protocol of its own. The adapter knows it only from
// the mapping file of the documentation.
const REGISTER = {
  number: 'DK123456',
  cardVersion: '007',
  firstName: 'MARIA',
  lastName: 'KELLER',
  dateOfBirth: '1985-02-03',
};

type Ask = { requestId: string; cardVersion: string; holder: Record<string, string> };
let server: Server;
let attempt: ReturnType<typeof createAttempts>;
const received: { path: string; token: string; idempotency: string; body: Ask }[] = [];

const answer = (number: string, { requestId, cardVersion, holder }: Ask): [number, unknown] => {
  if (number === 'DK000000') return [200, { requestId: 'another', outcome: 'MATCHED' }];
  if (number === 'DK000001') return [200, { requestId, outcome: 'REGISTER_DOWN' }];
  if (number === 'DK000002') return [200, { requestId, outcome: 'MAYBE' }];
  if (number !== REGISTER.number) return [404, { error: 'no such licence' }];
  const same = (name: 'firstName' | 'lastName' | 'dateOfBirth') =>
    holder[name] === REGISTER[name] ? 'same' : 'different';
  const fields = { firstName: same('firstName'), lastName: same('lastName'), dateOfBirth: same('dateOfBirth') };
  const matched = cardVersion === REGISTER.cardVersion && !Object.values(fields).includes('different');
  return [200, { requestId, auditNumber: 'A-1', outcome: matched ? 'MATCHED' : 'NOT_MATCHED', fields }];
};

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((raw) => {
      const body = JSON.parse(raw) as Ask;
      const { authorization = '', 'idempotency-key': idempotency } = request.headers;
      received.push({ path: request.url ?? '', token: authorization, idempotency: String(idempotency), body });
      const [status, said] = answer(request.url?.split('/')[3] ?? '', body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = join(dirname(fileURLToPath(import.meta.url)), '../examples');
  attempt = createAttempts(
    openSources({
      mapped: readSourceFiles(folder),
      credentials: {
        default: { NZ_LICENCES: { url, token: 'everybody' } },
        tenants: { 'tenant-0000000000000001': { NZ_LICENCES: { url, token: 'of this tenant' } } },
      },
      now: () => new Date(),
    }),
  );
});
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

const licence = (idDocumentNumber: string, surname = 'Keller') => {
  const { issuingState: _state, ...document } = aLicence('USA', 'TX', { idDocumentNumber, cardNumber: '007' });
  const personalAttributes = { ...document.personalAttributes, surname: { value: surname } };
  return { document: { ...document, issuingCountry: 'NZL', personalAttributes }, type: 'DRIVING_LICENSE' as const };
};

describe('a source added by a mapping file', () => {
  test('is asked as the file defines, with the credentials of the tenant', async () => {
    const made = await attempt(licence('dk 123456'));
    expect(made).toMatchObject({ kind: 'DONE', source: 'NZ_LICENCES', outcome: { result: 'VERIFIED' } });
    const { path, token, idempotency, body } = received.at(-1)!;
    expect([path, token]).toEqual(['/v1/licences/DK123456/verifications', 'Bearer of this tenant']);
    expect(body).toEqual({
      requestId: idempotency,
      cardVersion: '007',
      holder: { firstName: 'MARIA', middleNames: 'LUZ', lastName: 'KELLER', dateOfBirth: '1985-02-03' },
    });
  });
  test('its words and fields become results and comparisons', async () => {
    expect(await attempt(licence('DK123456', 'Other'))).toMatchObject({
      outcome: {
        result: 'FAILED',
        raised: expect.arrayContaining(['SURNAME_COMPARE_FAILED', 'FIRSTNAME_COMPARE_OK', 'GIV_VERIFICATION_FAILED']),
      },
    });
    expect(await attempt(licence('DK999999'))).toMatchObject({ outcome: { result: 'FAILED' } });
  });
  test.each(['DK000000', 'DK000001', 'DK000002'])(
    'an answer to another question, a fault and an unknown word do not count as answers (%s)',
    async (number) => {
      expect((await attempt(licence(number))).kind).toBe('NO_ANSWER');
    },
  );
  test('its fields are required as the file defines', async () => {
    const { document, type } = licence('DK123456');
    const { cardNumber: _left, ...without } = document;
    expect(await attempt({ document: without, type })).toMatchObject({
      kind: 'DONE',
      outcome: { raised: ['GIV_ELIGIBILITY_OK', 'GOV_DATA_FORMAT_FAILED', 'GIV_VERIFICATION_UNVERIFIED'] },
    });
  });
});
