import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Authority, createAuthority, createChip } from '@assay/chip/software';
import { newIdentity, newTenant, readStack, type Tenant } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'assay-chip-trust-'));
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('chip trust', { acceptSpecimens: true });
});

// The trust store belongs to the whole suite, so each test uses a country of its own.
const imported: string[] = [];
afterAll(async () => {
  for (const country of imported)
    for (const [list, collection] of [
      ['csca', 'csca'],
      ['signers', 'csca'],
      ['crl', 'crl'],
    ] as const) {
      const { items } = (await tenant.admin.get(`/admin/v1/trust/${list}?country=${country}`)).body;
      for (const { id } of items) await tenant.admin.delete(`/admin/v1/trust/${collection}/${id}`);
    }
  rmSync(folder, { recursive: true, force: true });
});

const DAY = 24 * 3600 * 1000;
const inDays = (days: number): Date => new Date(Date.now() + days * DAY);
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const issue = (authority: Authority, issuingState: string) =>
  createChip(authority, {
    passport: {
      documentNumber: 'T12345678',
      surname: 'SPECIMEN',
      givenNames: 'TRUST',
      dateOfBirth: '1980-01-02',
      gender: 'FEMALE',
      dateOfExpiry: '2034-01-02',
      issuingState,
    },
    now: new Date(),
    chipAuthentication: 'none',
    activeAuthentication: 'ECDSA',
  });

/** The result for a chip that a reader sends now, for a new identity. */
const evaluated = async (chip: ReturnType<typeof issue>) => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await tenant.relyingService.post(`${identity.at}/id-documents/nfc-session`, {});
  const answer = chip.answerChallenge(Buffer.from(body.activeAuthenticationChallenge, 'base64'))!;
  await tenant.relyingService.post(`/svc/v1/nfc-sessions/${body.sessionId}/data`, {
    documentSecurityObject: base64(chip.documentSecurityObject),
    dataGroups: Object.fromEntries(Object.entries(chip.dataGroups).map(([number, file]) => [number, base64(file)])),
    activeAuthenticationResponse: base64(answer),
  });
  const { status } = await identity.stable(body.id);
  const { evidenceStatus } = (await identity.get()).idDocuments[0];
  const { positiveIndicators, warningIndicators, unverifiedIndicators } = evidenceStatus;
  return { status, raised: [...positiveIndicators, ...warningIndicators, ...unverifiedIndicators] };
};

const importFile = (collection: 'csca' | 'crl', file: Buffer, source = 'test') =>
  tenant.admin.upload(`/admin/v1/trust/${collection}`, { file, source });

/** An LDIF of the Public Key Directory. */
const directoryOf = (certificates: readonly Uint8Array[]): Buffer => {
  const entries = certificates.flatMap((one, at) => [
    `dn: cn=${at + 1},dc=data,dc=download,dc=pkd`,
    `userCertificate;binary:: ${base64(one)}`,
    '',
  ]);
  return Buffer.from(['version: 1', '', ...entries].join('\n'));
};

const auditLog = async (cursor = ''): Promise<unknown[]> => {
  const { body } = await tenant.admin.get(`/admin/v1/audit?limit=100${cursor}`);
  return [...body.items, ...(body.cursor ? await auditLog(`&cursor=${body.cursor}`) : [])];
};

const SIGNER = 'PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK';

describe('the trust store', () => {
  test('applies an imported master list, and the removal of an authority, from the next chip on', async () => {
    imported.push('AD', 'LI');
    const [authority, publisher] = [createAuthority({ country: 'AD' }), createAuthority({ country: 'LI' })];
    const chip = issue(authority, 'AND');
    expect(await evaluated(chip)).toMatchObject({ status: 'NOT_VERIFIED' });
    const list = publisher.signMasterList([authority.certificate, publisher.certificate], inDays(-120));
    const forged = Buffer.from(list);
    forged[forged.length - 1]! ^= 1;
    expect((await importFile('csca', forged)).status).toBe(400);
    expect((await importFile('csca', list, 'a list of 120 days')).body).toEqual({ added: 2, known: 0, refused: [] });
    expect((await importFile('csca', list, 'a list of 120 days')).body).toEqual({ added: 0, known: 2, refused: [] });
    expect(await evaluated(chip)).toMatchObject({ status: 'VERIFIED' });

    const { body: report } = await tenant.admin.get('/admin/v1/trust/report');
    expect(report.countries).toContainEqual({ country: 'AD', certificates: 1, valid: 1 });
    expect(report.sources).toContainEqual({
      source: 'a list of 120 days',
      certificates: 2,
      signedAt: expect.any(String),
      signedUnder: {
        subject: expect.stringContaining('C=LI'),
        sha256: createHash('sha256').update(publisher.certificate).digest('hex'),
      },
      old: true,
    });

    expect((await tenant.admin.get('/admin/v1/trust/csca?country=D')).status).toBe(200);
    const { items } = (await tenant.admin.get('/admin/v1/trust/csca?country=AND')).body;
    expect(items).toMatchObject([{ level: 'MASTER_LIST', source: 'a list of 120 days' }]);
    expect((await tenant.admin.delete(`/admin/v1/trust/csca/${items[0].id}`)).status).toBe(200);
    expect(await evaluated(chip)).toMatchObject({ status: 'NOT_VERIFIED' });
  });

  test('loses all that came from one source by one command, and nothing else', async () => {
    imported.push('SM', 'VA');
    const authorities = ['SM', 'VA'].map((country) => createAuthority({ country }));
    const [wrong, right] = authorities as [Authority, Authority];
    const signer = issue(wrong, 'SMR').signer.certificate;
    await importFile('csca', directoryOf([wrong.certificate, signer]), 'a wrong list');
    await importFile('csca', Buffer.from(right.certificate), 'a right list');
    const { baseUrl, keys } = readStack();
    const command = join(import.meta.dirname, '../libs/client/bin/assay.mjs');
    const args = ['--url', baseUrl, '--key', keys.admin, 'trust', 'remove', '--source', 'a wrong list'];
    const { stdout } = await promisify(execFile)(process.execPath, [command, ...args]);
    expect(JSON.parse(stdout).removed).toHaveLength(2);
    const left = await Promise.all(
      ['csca?country=SMR', 'signers?country=SMR', 'csca?country=VAT'].map(
        async (list) => (await tenant.admin.get(`/admin/v1/trust/${list}`)).body.items.length,
      ),
    );
    expect(left).toEqual([0, 0, 1]);
  });

  test('keeps what another source contains when one source is removed', async () => {
    imported.push('BT', 'TG');
    const authorities = ['BT', 'TG'].map((country) => createAuthority({ country }));
    const [both, first] = authorities.map(({ certificate }) => Buffer.from(certificate)) as [Buffer, Buffer];
    await importFile('csca', directoryOf([both, first]), 'the first list');
    await importFile('csca', both, 'the second list');
    const listedOf = async (country: string) =>
      (await tenant.admin.get(`/admin/v1/trust/csca?country=${country}`)).body.items as { sources: string[] }[];
    expect((await listedOf('BT')).map(({ sources }) => sources)).toEqual([['the first list', 'the second list']]);
    const { baseUrl, keys } = readStack();
    const command = join(import.meta.dirname, '../libs/client/bin/assay.mjs');
    const removed = async (source: string) => {
      const args = ['--url', baseUrl, '--key', keys.admin, 'trust', 'remove', '--source', source];
      return JSON.parse((await promisify(execFile)(process.execPath, [command, ...args])).stdout);
    };
    const idOf = (file: Buffer): string => createHash('sha256').update(file).digest('hex');
    expect(await removed('the first list')).toEqual({ removed: [idOf(first)], elsewhere: [idOf(both)] });
    expect(await listedOf('BT')).toMatchObject([{ source: 'the second list', sources: ['the second list'] }]);
    expect(await listedOf('TG')).toEqual([]);
    expect(await removed('the second list')).toEqual({ removed: [idOf(both)], elsewhere: [] });
    expect(await listedOf('BT')).toEqual([]);
  });

  test('imports an LDIF of the directory with its signers, and a revocation list', async () => {
    imported.push('MC');
    const authority = createAuthority({ country: 'MC', notAfter: inDays(30) });
    const chip = issue(authority, 'MCO');
    expect(
      (await importFile('csca', directoryOf([authority.certificate, chip.signer.certificate]))).body,
    ).toMatchObject({ added: 2, refused: [] });
    const { items: signers } = (await tenant.admin.get('/admin/v1/trust/signers?country=mc')).body;
    expect(signers).toMatchObject([{ country: 'MC', subject: expect.stringContaining('Signer') }]);
    expect((await tenant.relyingService.get('/admin/v1/trust/signers')).status).toBe(403);
    expect((await evaluated(chip)).raised).toContain(`${SIGNER}_OK`);
    const { body: before } = await tenant.admin.get('/admin/v1/trust/report');
    expect(before.expiring.map(({ subject }: { subject: string }) => subject).join()).toContain('MC');

    const revoked = authority.revoke([chip.signer.serialNumber], inDays(-1), inDays(20));
    expect((await importFile('crl', revoked)).body).toMatchObject({ added: 1 });
    expect(await evaluated(chip)).toMatchObject({
      status: 'INVALID',
      raised: expect.arrayContaining([`${SIGNER}_FAILED`]),
    });
    const { body: after } = await tenant.admin.get('/admin/v1/trust/report');
    expect(after.countries).toContainEqual(
      expect.objectContaining({ country: 'MC', revocationListUntil: expect.any(String) }),
    );
    expect((await tenant.admin.get('/admin/v1/trust/crl?country=MC')).body.items).toHaveLength(1);
  });

  test('is managed from the command line, and every change is in the audit log', async () => {
    imported.push('SM');
    const file = join(folder, 'authority.cer');
    writeFileSync(file, createAuthority({ country: 'SM' }).certificate);
    const { keys, baseUrl } = readStack();
    const assay = async (...args: string[]) => {
      const bin = join(import.meta.dirname, '../libs/client/bin/assay.mjs');
      const env = { ...process.env, ASSAY_URL: baseUrl, ASSAY_KEY: keys.admin };
      return JSON.parse((await promisify(execFile)('node', [bin, 'trust', ...args], { env })).stdout);
    };
    expect(await assay('import', file, '--source', 'by hand')).toEqual({ added: 1, known: 0, refused: [] });
    const [listed] = await assay('list', '--country', 'SM');
    expect(listed).toMatchObject({ country: 'SM', level: 'SINGLE', source: 'by hand' });
    expect((await assay('report')).countries).toContainEqual({ country: 'SM', certificates: 1, valid: 1 });
    expect(await assay('remove', listed.id)).toEqual({ removed: listed.id });
    expect(await assay('list', '--country', 'SM')).toEqual([]);
    expect(await assay('list', '--signers', '--country', 'SM')).toEqual([]);
    const acts = JSON.stringify(await auditLog());
    for (const act of ['trust.import', 'trust.remove']) expect(acts).toContain(act);
  });
});
