import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, newIdentity, newTenant, readStack, residentMb, specimen, type Tenant } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { form, head, largePng, sendRaw } from './inputs/raw.ts';

/*
 * Fifty-three bad inputs that broke other services, numbered as in the list of a black-box tester.
 * Each is refused for the right reason, or is accepted and harmless. Afterwards the same processes
 * run, have not grown, and answer a good request.
 */

type Said = string | number;
const passport = specimen('passport.jpg');

let tenant: Tenant;
let other: Tenant;
let identity: Awaited<ReturnType<typeof newIdentity>>;
let baseUrl: string;
let before: Map<number, number>;

/** Resident memory in megabytes of each service process, by pid. */
const memory = (): Map<number, number> => {
  const services = Object.values(readStack().services).flat();
  return new Map(services.map(({ pid }) => [pid, residentMb(pid)]));
};

beforeAll(async () => {
  ({ baseUrl } = readStack());
  [tenant, other] = await Promise.all([
    newTenant('bad-inputs', { limits: { maxFileBytes: 3_000_000, requestsPerMinute: 1_000_000 } }),
    newTenant('bad-inputs-other'),
  ]);
  identity = await newIdentity(tenant.relyingService);
  await identity.consent('PORTRAIT', 'GIV');
  before = memory();
});

/** The status of a reply, with the code of its first error. */
const said = ({ status, body }: Answer): Said => {
  const code = body?.errors?.[0]?.code;
  return code ? `${status}/${code}` : status;
};
const capturePath = () => `${identity.at}/id-documents/capture`;
const multipart = 'Content-Type: multipart/form-data; boundary=B';
const rawForm = (bytes: Buffer, contentType = multipart, length = bytes.length, path = capturePath()) =>
  sendRaw(
    baseUrl,
    Buffer.concat([
      Buffer.from(
        head('POST', path, [`apikey: ${tenant.keys.relyingService}`, contentType, `Content-Length: ${length}`]),
      ),
      bytes,
    ]),
  );
const front = (content: string | Buffer, filename = 'f.jpg') => ({ name: 'DocumentFront', content, filename });
const capture = async (bytes: Buffer): Promise<Said> => said(await identity.document(bytes));
/**
 * Submits an image that cannot be read. The service refuses it, or accepts it and ends its
 * evidence.
 */
const refusedOrNothing = async (bytes: Buffer): Promise<Said> => {
  const answer = await identity.document(bytes);
  if (answer.status !== 200) return said(answer);
  return (await identity.stable(answer.body.id)).status;
};
const rawJson = async (
  text: string | Buffer,
  contentType = 'application/json',
  path = `${identity.at}/id-documents`,
) => {
  const response = await fetch(new URL(path, baseUrl), {
    method: 'POST',
    headers: { apikey: tenant.keys.relyingService, ...(contentType ? { 'content-type': contentType } : {}) },
    body: typeof text === 'string' ? text : new Uint8Array(text),
  });
  const body = (await response.json()) as { errors?: { code: string }[] };
  return `${response.status}/${body.errors?.[0]?.code ?? ''}`;
};
const licence = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'T64235789',
  issuingCountry: 'USA',
  issuingState: 'VA',
  expiryDate: '2035-04-15',
  personalAttributes: {
    dateOfBirth: { value: '1974-08-12' },
    givenNames: [{ value: 'BARRY' }],
    surname: { value: 'SPECIMEN' },
  },
};
const text = (more: object): Promise<Said> => rawJson(JSON.stringify({ ...licence, ...more }));
const born = (value: unknown) => ({ personalAttributes: { ...licence.personalAttributes, dateOfBirth: { value } } });
const get = async (path: string, by = tenant.relyingService): Promise<Said> => said(await by.get(path));
const all = async (made: readonly Promise<Said>[]): Promise<Said[]> => [...new Set(await Promise.all(made))].sort();

describe('forms', () => {
  test.each<[number, string, () => Promise<unknown>, unknown]>([
    [1, 'no boundary', () => rawForm(form([front(passport)]), 'Content-Type: multipart/form-data'), 400],
    [2, 'no closing boundary', () => rawForm(form([front(passport)], '')), 400],
    [3, 'garbage for a body', () => rawForm(Buffer.from('neither parts nor boundaries')), 400],
    [
      5,
      '20,000 parts',
      () => rawForm(form(Array.from({ length: 20_000 }, (_, at) => ({ name: `n${at}`, content: '' })))),
      400,
    ],
    [6, 'a file above its limit', () => capture(Buffer.concat([passport, Buffer.alloc(3_000_000, 1)])), '413/1505'],
    [7, 'a name nested 1000 deep', () => rawForm(form([{ name: `a${'[b]'.repeat(1000)}`, content: 'x' }])), 400],
    [
      8,
      'huge indexes',
      () =>
        rawForm(
          form([
            { name: 'a[99999999]', content: 'x' },
            { name: 'a[]', content: 'y' },
          ]),
        ),
      400,
    ],
    [
      9,
      'names of prototypes',
      () =>
        rawForm(
          form([
            { name: '__proto__[x]', content: 'x' },
            { name: 'constructor[prototype][x]', content: 'y' },
          ]),
        ),
      400,
    ],
    [
      10,
      'a path for a file name',
      () => rawForm(form([front(passport, `../../etc/passwd${'\u202e'}${'x'.repeat(200)}`)])),
      200,
    ],
    [11, 'an empty file', () => rawForm(form([front('')])), 400],
    [12, 'two files in one slot', () => rawForm(form([front(passport), front(passport)])), 400],
    [
      13,
      'half a JPEG',
      () => refusedOrNothing(passport.subarray(0, passport.length / 2)),
      expect.stringMatching(/^(400\/1500|NOT_VERIFIED|INVALID)$/),
    ],
    [
      14,
      'the head of a JPEG and garbage',
      () => refusedOrNothing(Buffer.concat([passport.subarray(0, 20), Buffer.alloc(50_000, 7)])),
      expect.stringMatching(/^(400\/1500|NOT_VERIFIED|INVALID)$/),
    ],
    [
      15,
      'a JPEG that is also an HTML page',
      () => capture(Buffer.concat([passport, Buffer.from('<script>alert(1)</script>PK\u0003\u0004')])),
      200,
    ],
    [16, '100 megapixels in a few kilobytes', () => capture(largePng(10_000)), '400/1505'],
    [
      17,
      'formats that the service does not support',
      () =>
        all(
          [
            '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
            '%PDF-1.7\n1 0 obj',
            'GIF89a\u0001\u0000\u0001\u0000',
            'II*\u0000\u0008\u0000\u0000\u0000',
            '\u0000\u0000\u0000\u0018ftypheic',
          ].map((bytes) => capture(Buffer.concat([Buffer.from(bytes, 'latin1'), Buffer.alloc(2000, 32)]))),
        ),
      ['400/1500'],
    ],
    [
      18,
      'the place of the photograph, in EXIF',
      async () =>
        capture(
          await sharp(passport)
            .withExif({ IFD3: { GPSLatitude: '51/1 30/1 3230/100' } })
            .toBuffer(),
        ),
      200,
    ],
    [
      19,
      'a JPEG that is declared a PNG',
      () =>
        rawForm(
          Buffer.concat([
            Buffer.from(
              '--B\r\nContent-Disposition: form-data; name="DocumentFront"; filename="f.png"\r\nContent-Type: image/png\r\n\r\n',
            ),
            passport,
            Buffer.from('\r\n--B--\r\n'),
          ]),
        ),
      200,
    ],
  ])('%i: %s', async (_number, _what, made, expected) => expect(await made()).toEqual(expected), 60_000);
});

describe('JSON', () => {
  test('is accepted where nothing is wrong with it', async () => expect(await text({})).toBe('200/'));

  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  test.each<[number, string, () => Promise<unknown>, unknown]>([
    [20, 'cut off', () => rawJson('{"idDocumentType":'), '400/1006'],
    [
      21,
      'JSON that is not an object',
      () => all(['5', '[]', '"x"', 'null'].map((json) => rawJson(json))),
      ['400/1006'],
    ],
    [22, 'nothing', () => rawJson(''), '400/1006'],
    [23, 'called text', () => rawJson(JSON.stringify(licence), 'text/plain'), '415/4150'],
    [
      24,
      'another character set',
      () =>
        all(['latin1', 'utf-16'].map((set) => rawJson(JSON.stringify(licence), `application/json; charset=${set}`))),
      ['415/4150'],
    ],
    [
      25,
      'bytes that are not UTF-8',
      () => rawJson(Buffer.from([...Buffer.from('{"idDocumentNumber":"'), 0xff, 0xfe, 0x22, 0x7d])),
      '400/1006',
    ],
    [26, 'half a character', () => rawJson(JSON.stringify(licence).replace('T64235789', '\\ud800')), '400/1006'],
    [
      27,
      'NUL in a name',
      () => text({ personalAttributes: { ...licence.personalAttributes, surname: { value: 'A\u0000B' } } }),
      '400/1006',
    ],
    [
      28,
      'a member twice, of which the last counts',
      () =>
        all([
          rawJson(JSON.stringify(licence).replace('{', '{"idDocumentType":"NONE",')),
          rawJson(JSON.stringify(licence).replace(/}$/, ',"idDocumentType":"NONE"}')),
        ]),
      ['200/', '400/1006'],
    ],
    [29, 'nested 30,000 deep', () => rawJson(nested(30_000)), '400/1006'],
    [29, 'nested 40,000 deep, and so above its limit', () => rawJson(nested(40_000)), '413/4130'],
    [30, 'above its limit', () => rawJson(JSON.stringify({ ...licence, more: 'x'.repeat(2_000_000) })), '413/4130'],
    [
      31,
      'invalid numbers',
      () =>
        all(
          ['1e400', '-0.5', '9007199254740993', '"NaN"'].map((seconds) =>
            rawJson(`{"expiresInSeconds":${seconds}}`, 'application/json', `${identity.at}/user-agent-sessions`),
          ),
        ),
      ['400/1006'],
    ],
    [
      32,
      'names of prototypes in a submission',
      () =>
        all([
          rawJson(JSON.stringify(licence).replace('{', '{"__proto__":{"issuingState":"ZZ"},')),
          text({ constructor: {} }),
        ]),
      ['200/'],
    ],
    [
      32,
      'names of prototypes in settings',
      () =>
        all(
          ['{"__proto__":{"policy":"strict"}}', '{"capture":{"__proto__":{"name":"x"}}}'].map((settings) =>
            tenant.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings: JSON.parse(settings) }).then(said),
          ),
        ),
      ['400/1006'],
    ],
    [
      33,
      'operators of the database',
      () => all([text({ idDocumentNumber: { $gt: '' } }), text({ idDocumentNumber: { $where: '1' } })]),
      ['400/1006'],
    ],
    [
      34,
      'dates that do not exist',
      () => all(['2026-02-30', '2026-13-01', '0000-00-00', '2025-02-29'].map((day) => text(born(day)))),
      ['400/1006'],
    ],
    [
      35,
      'dates that are not plausible',
      () =>
        all([
          text(born('2090-01-01')),
          text(born('1850-01-01')),
          text({ issuingDate: '2020-01-01', expiryDate: '2019-01-01' }),
        ]),
      ['400/1006'],
    ],
    [
      41,
      'members that a client may not set',
      async () => {
        const made = await newIdentity(tenant.relyingService, { status: 'VERIFIED', tenantId: 'x', score: 'LEVEL4' });
        const { globalStatus } = await made.get();
        return [globalStatus.status, globalStatus.levelOfAssurance];
      },
      ['EXPECTING_INPUT', 'LOA0'],
    ],
  ])('%i: %s', async (_number, _what, made, expected) => expect(await made()).toEqual(expected), 60_000);
});

describe('ids, keys and methods', () => {
  const unknown = '/svc/v1/identities/00000000-0000-4000-8000-000000000000';
  const withKey = (...lines: string[]) => sendRaw(baseUrl, head('GET', identity.at, lines));
  const pathOf = (id: string) =>
    sendRaw(baseUrl, head('GET', `/svc/v1/identities/${id}`, [`apikey: ${tenant.keys.relyingService}`]));
  test.each<[number, string, () => Promise<unknown>, unknown]>([
    [
      36,
      'ids that are paths',
      () => all(['..%2f..%2fetc%2fpasswd', '%00', '%ff', '%zz', 'x'.repeat(10_000)].map(pathOf) as Promise<Said>[]),
      [404],
    ],
    [
      37,
      'keys that are none',
      () =>
        all([
          withKey('apikey: a\rb'),
          withKey('apikey: a\u0000b'),
          withKey(`apikey: ${'x'.repeat(20_000)}`),
          withKey('apikey: one', 'apikey: two'),
          withKey('apikey: sch\u00fcssel'),
        ] as Promise<Said>[]),
      [400, 401, 431],
    ],
    [
      38,
      'no key and a wrong key',
      () =>
        all(
          ['', 'asy_rs_12345678_x'].map(async (apikey) =>
            said(await tenant.relyingService.get(identity.at, { apikey })),
          ),
        ),
      ['401/4010'],
    ],
    [39, 'the key of another role', async () => said(await tenant.userAgent.get(`${identity.at}/proof`)), '403/4030'],
    [
      40,
      'the identity of another tenant',
      () =>
        all([
          get(identity.at, other.relyingService),
          get(unknown, other.relyingService),
          other.relyingService.delete(identity.at).then(said),
          other.relyingService.post(`${identity.at}/consents`, [{ type: 'GIV', approved: true }]).then(said),
        ]),
      ['404/4040'],
    ],
    [
      42,
      'a step out of order',
      () => all([tenant.relyingService.post(`${identity.at}/resume`, {}).then(said)]),
      ['409/4090'],
    ],
    [
      43,
      'one request fifty times at once',
      async () => {
        const key = { 'Idempotency-Key': `"fifty-${identity.id}"` };
        const post = (body: object) => tenant.relyingService.post('/svc/v1/identities', body, key);
        const answers = await Promise.all(Array.from({ length: 50 }, () => post({ businessId: 'one' })));
        const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id));
        const others = answers.filter(({ status }) => status !== 200).map(said);
        return [ids.size, others.every((one) => one === '409/4091'), said(await post({ businessId: 'two' }))];
      },
      [1, true, '422/4220'],
    ],
    [
      45,
      'two lengths, bad chunks, unknown methods',
      async () => {
        const key = `apikey: ${tenant.keys.relyingService}`;
        const json = 'Content-Type: application/json';
        const smuggled = head('POST', '/svc/v1/identities', [
          key,
          json,
          'Content-Length: 2',
          'Transfer-Encoding: chunked',
        ]);
        const chunked = head('POST', '/svc/v1/identities', [key, json, 'Transfer-Encoding: chunked']);
        return Promise.all([
          sendRaw(baseUrl, `${smuggled}0\r\n\r\n`),
          sendRaw(baseUrl, `${chunked}zz\r\n{}\r\n0\r\n\r\n`),
          sendRaw(baseUrl, head('TRACE', identity.at, [key])),
          sendRaw(baseUrl, head('PUT', '/svc/v1/identities', [key])),
        ]);
      },
      [400, 400, 405, 405],
    ],
    [
      46,
      'a request for XML gets JSON',
      async () => said(await tenant.relyingService.get(identity.at, { accept: 'application/xml' })),
      200,
    ],
    [
      47,
      'webhooks to addresses inside the network',
      () =>
        all(
          [
            'http://169.254.169.254/latest',
            'http://[fd00:ec2::254]/',
            'http://10.1.2.3/',
            'http://100.64.0.1/',
            'http://0.0.0.0/',
            'http://[64:ff9b::a01:203]/',
            'file:///etc/passwd',
            'gopher://example.org/',
            'https://user@example.org/',
          ].map((url) =>
            tenant.admin
              .patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings: { webhook: { url, mode: 'NONE' } } })
              .then(said),
          ),
        ),
      ['400/1006'],
    ],
    [
      53,
      'lists without end',
      () =>
        all(
          ['limit=1000000000', 'limit=-1', 'limit=1e2', 'limit=%205', 'limit=(a%2B)%2B%24', 'cursor=%00'].map((query) =>
            get(`/admin/v1/tenants/${tenant.tenantId}/deliveries?${query}`, tenant.admin),
          ),
        ),
      ['400/1006'],
    ],
  ])('%i: %s', async (_number, _what, made, expected) => expect(await made()).toEqual(expected), 60_000);
});

/* The senders are slow until their time-outs end, so they run in parallel. */
test('4 and 44: bodies that stop and heads that never end time out, and no other client waits', async () => {
  const started = Date.now();
  const bytes = form([front(passport)]);
  // This upload opens connections between the services, so that the next form begins on one of
  // them.
  await identity.document(bytes);
  const slow = [
    rawForm(bytes.subarray(0, 1000), multipart, bytes.length),
    rawForm(Buffer.from('{"number":'), 'Content-Type: application/json', 1000, `${identity.at}/id-documents`),
    ...Array.from({ length: 20 }, () => sendRaw(baseUrl, 'GET /svc/v1/identities HTTP/1.1\r\nHost: test\r\nX-Slow: ')),
  ];
  expect(await get(identity.at)).toBe(200);
  expect(Date.now() - started).toBeLessThan(5000);
  const ends = await Promise.all(slow);
  expect(ends).toEqual(slow.map(() => 408));
}, 60_000);

/**
 * Inputs that no client sends. The component that receives, resolves or verifies them refuses them,
 * in a test beside its code.
 */
const ELSEWHERE: Record<number, readonly [file: string, name: string]> = {
  48: ['services/notifier/src/http/endpoints.test.ts', 'whose target turned inside meanwhile is not connected to'],
  49: ['services/notifier/src/service.test.ts', 'by redirecting is not followed'],
  50: ['services/notifier/src/service.test.ts', 'by hanging delays nobody else'],
  51: [
    'libs/client/src/webhook/verify-webhook.test.ts',
    'is genuine when its signature is that of the raw body, and not when a byte or the secret differs',
  ],
  52: ['libs/client/src/proof/vectors.test.ts', 'only the key that signed is accepted'],
};
test.each(Object.entries(ELSEWHERE))('%s is refused where it arrives', (_number, [file, name]) => {
  expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toContain(`'${name}'`);
});

afterAll(async () => {
  const after = memory();
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  for (const [pid, megabytes] of after) expect(megabytes - before.get(pid)!).toBeLessThan(250);
  expect(await get(identity.at)).toBe(200);
});
