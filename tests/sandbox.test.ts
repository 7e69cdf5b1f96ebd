import { inspectProof, readKeys, showProof } from '@assay/client';
import {
  newIdentity,
  newTenant,
  readStack,
  specimen,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/*
 * Tries every line of the catalogue that the sandbox serves, with its outcome armed and by its
 * data.
 */

type Identity = Awaited<ReturnType<typeof newIdentity>>;
interface Line {
  outcome: string;
  kind: string;
  status: string;
  score?: string;
  errorCode?: string;
  indicators: string[];
  needs?: string;
  data?: { field: string; value: string };
  specimen?: string;
}

let receiver: WebhookReceiver;
let sandbox: Tenant;
let live: Tenant;
let lines: Line[];
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const webhook = { url: receiver.url, mode: 'NONE', delaySeconds: 1, attempts: 5 } as const;
  sandbox = await newTenant('sandbox', { sandbox: true, webhook });
  live = await newTenant('no sandbox', { webhook });
  lines = (await sandbox.relyingService.get('/svc/v1/sandbox/outcomes')).body.items;
});
afterAll(() => receiver.close());

const CONSENTS = ['GIV', 'PORTRAIT'];
const begin = async (tenant: Tenant = sandbox): Promise<Identity> => {
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent(...CONSENTS);
  return identity;
};
const arm = (identity: Identity, outcome: string, more: object = {}, tenant: Tenant = sandbox) =>
  tenant.relyingService.post(`${identity.at}/sandbox/outcome`, { outcome, ...more });

/** A submission of each kind. Its content makes no difference once an outcome is armed. */
const ANY = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const text = (idDocumentNumber = 'X1234567') => ({
  idDocumentType: 'PASSPORT',
  idDocumentNumber,
  issuingCountry: 'FRA',
  personalAttributes: {
    dateOfBirth: { value: '1980-01-01' },
    givenNames: [{ value: 'ANNA' }],
    surname: { value: 'MARTIN' },
  },
});
const card = (fullname = 'ANNA MARTIN') => ({
  cardNumber: '2951638471',
  cardType: 'G',
  expiryDate: '2035-01-01',
  individualReferenceNumber: 1,
  personalAttributes: { fullname: { value: fullname }, dateOfBirth: { value: '1980-01-01' } },
});
const submitChip = async (identity: Identity) => {
  const { body } = await sandbox.relyingService.post(`${identity.at}/id-documents/nfc-session`, {});
  const some = Buffer.from('no chip').toString('base64');
  const files = { documentSecurityObject: some, dataGroups: { 1: some } };
  return sandbox.relyingService.post(`/svc/v1/nfc-sessions/${body.sessionId}/data`, files);
};
const SUBMIT: Record<string, (identity: Identity) => Promise<{ status: number; body: { id: string } }>> = {
  documentImage: (identity) => identity.document(specimen('selfie-other.jpg')),
  documentText: (identity) => identity.text(text()),
  healthCard: (identity) => identity.healthCard(card()),
  documentChip: submitChip,
  portrait: (identity) => identity.portrait(specimen('passport.jpg')),
};

const isDocument = ({ needs }: Line): boolean => needs !== undefined && !needs.startsWith('consent');

/** Expects the status, score, error and indicators of a line for an evidence. */
const expectLine = async (identity: Identity, id: string, line: Line): Promise<void> => {
  await identity.becomes(id, line.status);
  const full = await identity.get();
  const { evidenceStatus } = [...(full.idDocuments ?? []), full.portrait].find((one) => one?.evidenceId === id);
  expect({ outcome: line.outcome, ...evidenceStatus }).toMatchObject({
    outcome: line.outcome,
    status: line.status,
    ...(line.score ? { score: line.score } : {}),
  });
  expect(evidenceStatus.errors?.map(({ code }: { code: string }) => code)).toEqual(
    line.errorCode ? [line.errorCode] : undefined,
  );
  const { positiveIndicators = [], warningIndicators = [], unverifiedIndicators = [] } = evidenceStatus;
  const raised = [...positiveIndicators, ...warningIndicators, ...unverifiedIndicators];
  if (line.status !== 'ADJUDICATION') expect(raised).toEqual(expect.arrayContaining(line.indicators));
};

const playArmed = async (line: Line): Promise<void> => {
  const identity = await begin();
  if (isDocument(line)) {
    await arm(identity, line.needs ?? '');
    const { body } = await SUBMIT.documentImage!(identity);
    await identity.becomes(body.id, 'VERIFIED');
  }
  expect(await arm(identity, line.outcome)).toMatchObject({ status: 200, body: { outcome: line.outcome } });
  const { status, body } = await SUBMIT[line.kind]!(identity);
  expect([line.outcome, status]).toEqual([line.outcome, 200]);
  await expectLine(identity, body.id, line);
};

describe('every line of the catalogue', () => {
  test.each(['documentImage', 'documentText', 'healthCard', 'documentChip', 'portrait'])(
    'of %s has its outcome once it is armed',
    async (kind) => {
      const own = lines.filter((line) => line.kind === kind);
      expect(own.length).toBeGreaterThan(3);
      await Promise.all(own.map(playArmed));
    },
    60_000,
  );

  test('with data of its own has its outcome by the data', async () => {
    const own = lines.filter(({ data, kind }) => data !== undefined && kind !== 'oneTimeCode');
    expect(own.map(({ data }) => data?.field)).toEqual(
      expect.arrayContaining(['idDocumentNumber', 'personalAttributes.fullname.value']),
    );
    const play = async (line: Line): Promise<void> => {
      const identity = await begin();
      const value = line.data?.value;
      const { body } = await (line.kind === 'healthCard'
        ? identity.healthCard(card(value))
        : identity.text(text(value)));
      await expectLine(identity, body.id, line);
    };
    await Promise.all(own.map(play));
  }, 60_000);

  test('with a specimen has its outcome by the specimen, which can be downloaded', async () => {
    const own = lines.filter(({ specimen: image }) => image !== undefined);
    expect(own.length).toBeGreaterThanOrEqual(5);
    const download = async (path: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(new URL(path, readStack().baseUrl))).arrayBuffer());
    const passport = own.find(({ outcome }) => outcome === 'document-verified')?.specimen ?? '';
    for (const line of own) {
      const image = await download(line.specimen ?? '');
      const identity = await begin();
      if (line.kind === 'portrait') {
        const { body } = await identity.document(await download(passport));
        await identity.becomes(body.id, 'VERIFIED');
      }
      const { body } = await (line.kind === 'portrait' ? identity.portrait(image) : identity.document(image));
      await expectLine(identity, body.id, { ...line, indicators: [] });
    }
  }, 120_000);

  test('of one-time codes has its outcome by its data, without a mailbox', async () => {
    const own = lines.filter((line) => line.kind === 'oneTimeCode');
    expect(own.map(({ errorCode }) => errorCode).sort()).toEqual(['4300', '4301', '4302', undefined]);
    for (const { outcome, data, status, errorCode } of own) {
      const identity = await newIdentity(sandbox.relyingService);
      await identity.consent('EMAIL_OTP');
      const value = data?.field === 'value' ? data.value : 'anna@sandbox.example';
      const otp = data?.field === 'otp' ? data.value : '111111';
      const { body } = await sandbox.relyingService.post(`${identity.at}/contacts/email`, { value });
      const answer = await sandbox.relyingService.post(`${identity.at}/contacts/email/otp`, { otp });
      expect([outcome, answer.body.errors?.[0].code]).toEqual([outcome, errorCode]);
      if (status === 'VERIFIED') await identity.becomes(body.id, status);
      else expect((await sandbox.relyingService.get(`${identity.at}/contacts/email`)).body.status).toBe(status);
    }
    const refused = await arm(await begin(), 'code-right');
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'outcome' }] } });
  }, 60_000);

  test('is on the page', async () => {
    const page = await (await fetch(`${readStack().baseUrl}/docs/sandbox`)).text();
    for (const { outcome } of lines) expect(page).toContain(`<code>${outcome}</code>`);
    expect((await fetch(`${readStack().baseUrl}/docs/sandbox/specimens/portraits`)).status).toBe(404);
  });
});

describe('with an outcome', () => {
  test('come a delay and further indicators', async () => {
    const identity = await begin();
    await arm(identity, 'text-verified', { delaySeconds: 2, indicators: ['HEIGHT_COMPARE_FAILED'] });
    const sent = Date.now();
    const { body } = await identity.text(text());
    expect(await identity.stable(body.id)).toMatchObject({ status: 'VERIFIED' });
    expect(Date.now() - sent).toBeGreaterThanOrEqual(1900);
    const [{ evidenceStatus }] = (await identity.get()).idDocuments;
    expect(evidenceStatus.warningIndicators).toContain('HEIGHT_COMPARE_FAILED');
  });

  test('come failures of its webhook, which is retried as usual, and marked', async () => {
    const identity = await begin();
    await arm(identity, 'text-denied', { webhookFailures: 2 });
    const { body } = await identity.text(text());
    const webhook = await receiver.next('the evaluation', ({ body: sent }) => sent.evidence?.evidenceId === body.id);
    expect(webhook.headers['assay-sandbox']).toBe('true');
    const path = `/admin/v1/tenants/${sandbox.tenantId}/deliveries?identityId=${identity.id}&state=DELIVERED`;
    const [delivery] = await waitFor('the delivery', async () => {
      const { items } = (await sandbox.admin.get(path)).body;
      return items.length > 0 && items;
    });
    const simulated = { statusCode: 500, error: 'SIMULATED' };
    expect(delivery.attempts).toMatchObject([simulated, simulated, { statusCode: 200 }]);
  });

  test('an operator of the sandbox decides what went to adjudication', async () => {
    const identity = await begin();
    await arm(identity, 'document-adjudication');
    const { body } = await SUBMIT.documentImage!(identity);
    await identity.becomes(body.id, 'ADJUDICATION');
    const { caseId } = await waitFor('the case', async () => {
      const { items } = (await sandbox.operator.get('/operator/v1/cases?state=OPEN&limit=200')).body;
      return items.find(({ evidenceId }: { evidenceId: string }) => evidenceId === body.id);
    });
    await sandbox.operator.post(`/operator/v1/cases/${caseId}/claim`);
    await sandbox.operator.post(`/operator/v1/cases/${caseId}/decision`, { decision: 'ACCEPT' });
    await identity.becomes(body.id, 'VERIFIED');
  });
});

test('an outcome waits for a submission of its kind, is played once, and stays armed after one that is refused', async () => {
  const identity = await begin();
  await arm(identity, 'text-expired');
  const first = await identity.healthCard(card());
  expect((await identity.text({ ...text(), idDocumentType: 'POEM' })).status).toBe(400);
  expect((await identity.document(ANY)).status).toBe(400);
  const second = await identity.text(text());
  const third = await identity.text(text());
  expect(await identity.stable(second.body.id)).toMatchObject({ status: 'INVALID', errors: [{ code: '1501' }] });
  for (const { body } of [first, third])
    expect(await identity.stable(body.id)).toMatchObject({ status: 'NOT_VERIFIED', errors: [{ code: '1583' }] });
});

describe('a sandbox is marked', () => {
  test('in its keys, in every reply, and in its proof', async () => {
    for (const key of Object.values(sandbox.keys)) expect(key).toMatch(/^asy_sandbox_(rs|ua|op)_/);
    const identity = await begin();
    expect(identity.created.headers.get('assay-sandbox')).toBe('true');
    expect((await sandbox.userAgent.get('/svc/v1/identities/none')).headers.get('assay-sandbox')).toBe('true');
    await arm(identity, 'document-verified');
    const { body } = await SUBMIT.documentImage!(identity);
    await identity.becomes(body.id, 'VERIFIED');
    const keys = readKeys(await (await fetch(`${readStack().baseUrl}/.well-known/jwks.json`)).text());
    const { bytes } = await identity.proof();
    const { report, contents } = await inspectProof(bytes, keys);
    expect(report).toMatchObject({ reasons: [], proof: { sandbox: true } });
    expect((await showProof(bytes, keys)).html).toContain('proves nobody');
    expect(JSON.parse(contents!.json['proof.json'].toString()).tenantUsed).toMatch(/^default \S+ sandbox$/);
  });

  test('for good: no tenant becomes a sandbox or stops being one', async () => {
    const change = (tenant: Tenant, to: boolean | null) =>
      tenant.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings: { sandbox: to } });
    for (const refused of [await change(live, true), await change(sandbox, false), await change(sandbox, null)])
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: '1006', field: 'settings.sandbox' }] } });
    expect((await change(live, false)).status).toBe(200);
  });
});

describe('a tenant that is no sandbox', () => {
  test('can arm no outcome, and is not marked', async () => {
    const identity = await begin(live);
    const refused = await arm(identity, 'text-verified', {}, live);
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: '4032' }] } });
    expect(refused.headers.has('assay-sandbox')).toBe(false);
    for (const key of Object.values(live.keys)) expect(key).not.toContain('sandbox');
  });

  test('gets nothing from the data of the catalogue', async () => {
    const identity = await begin(live);
    const verified = lines.find(({ outcome }) => outcome === 'text-verified')?.data?.value;
    const { body } = await identity.text(text(verified));
    expect(await identity.stable(body.id)).toMatchObject({ status: 'NOT_VERIFIED', errors: [{ code: '1583' }] });
    const webhook = await receiver.next('the evaluation', ({ body: sent }) => sent.evidence?.evidenceId === body.id);
    expect(webhook.headers).not.toHaveProperty('assay-sandbox');
  });
});
