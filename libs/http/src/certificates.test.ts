import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createExamination } from './doctor.ts';
import { identityOf } from './listen.ts';

/* Certificates of services: files that are wrong, and files that change while a service runs. */

const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
const inFolder = (name: string): string => join(folder, name);
const textOf = (name: string): string => readFileSync(inFolder(name), 'utf8').trim();

/** Makes NAME.crt and NAME.key. */
const makeCertificate = (name: string, days: number): void => {
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', String(days)];
  const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`];
  execFileSync('openssl', ['req', '-x509', ...made, '-subj', '/CN=service', ...files], { cwd: folder, stdio: 'pipe' });
};

beforeAll(() => {
  makeCertificate('former', 10);
  makeCertificate('renewed', 100);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a certificate and a key that no service can use', () => {
  const half = (text: string): string => text.slice(0, text.length / 2);
  const wrong = (name: string): string => `configuration: ${name}`;
  test.each([
    [
      'a certificate whose file is being written',
      () => [half(textOf('former.crt')), textOf('former.key')],
      'TLS_CERT is',
    ],
    ['a key whose file is being written', () => [textOf('former.crt'), half(textOf('former.key'))], 'TLS_KEY is no'],
    ['each in place of the other', () => [textOf('former.key'), textOf('former.crt')], 'TLS_CERT is no'],
    ['one of them renewed', () => [textOf('renewed.crt'), textOf('former.key')], 'TLS_KEY is not the key'],
    ['one of them missing', () => [textOf('former.crt'), undefined], 'TLS_CERT and TLS_KEY are given together'],
  ] as const)('%s: the service says which variable is wrong', (_, files, named) => {
    const [TLS_CERT, TLS_KEY] = files();
    expect(() => identityOf({ TLS_CERT, TLS_KEY })).toThrow(wrong(named));
  });
});

describe('a certificate that is renewed while the service runs', () => {
  const file = inFolder('tls.crt');
  let examine: ReturnType<typeof createExamination>;
  const found = async () => (await examine()).findings.find(({ check }) => check === 'certificate');
  beforeAll(() => {
    copyFileSync(inFolder('former.crt'), file);
    process.env.TLS_CERT_FILE = file;
    examine = createExamination('notifier');
  });
  afterAll(() => {
    delete process.env.TLS_CERT_FILE;
  });

  test('is found by the one that the service shows; and that its file has another one', async () => {
    const former = { check: 'certificate', status: 'WARNING' };
    expect(await found()).toEqual({ ...former, message: expect.stringMatching(/^TLS_CERT ends in \d days$/) });
    for (const content of [textOf('renewed.crt'), textOf('renewed.crt').slice(0, 200), '']) {
      writeFileSync(file, content);
      const message = /^TLS_CERT ends in \d days; TLS_CERT was changed since the start: restart the service$/;
      expect(await found()).toEqual({ ...former, message: expect.stringMatching(message) });
    }
    rmSync(file);
    const changed = { message: expect.stringContaining('restart the service') };
    expect(await found()).toMatchObject(changed);
    mkdirSync(file);
    expect(await found()).toMatchObject(changed);
    rmdirSync(file);
  });

  test('is good once the service has started again', async () => {
    copyFileSync(inFolder('renewed.crt'), file);
    examine = createExamination('notifier');
    expect(await found()).toEqual({ check: 'certificate', status: 'OK', message: 'good for 99 days' });
  });
});
