import { execFile, execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newTenant, readStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/* The Python client as others get it: packed, installed by pip without an index into an empty folder, and used as its README says. */

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const PROJECT = join(ROOT, 'clients/python');
const VECTORS = join(ROOT, 'libs/client/test-vectors');

const hasPython = (): boolean => {
  try {
    const probe = 'import sys, pip, venv, ensurepip; assert sys.version_info >= (3, 10)';
    execFileSync('python3', ['-c', probe], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(
      'the Python client is not tested: this machine has no python3 of 3.10 or newer with pip and venv\n',
    );
    return false;
  }
};
const onPython = hasPython() ? test : test.skip;

const folder = mkdtempSync(join(tmpdir(), 'assay-python-'));
const env = { ...process.env, PYTHONPATH: join(folder, 'site'), PYTHONDONTWRITEBYTECODE: '1' };
const README = readFileSync(join(PROJECT, 'README.md'), 'utf8');
/** What the README has people type, in what looks like a clone. */
const installAsTold = async (): Promise<void> => {
  const clone = join(folder, 'clone');
  mkdirSync(join(clone, 'clients'), { recursive: true });
  symlinkSync(PROJECT, join(clone, 'clients/python'));
  const [, block] = /```sh\n([\s\S]*?)```/.exec(README)!;
  const offline = { PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_QUIET: '1' };
  await run('bash', ['-e', '-c', block!], { cwd: clone, env: { ...process.env, ...offline } });
};

beforeAll(async () => {
  if (onPython === test.skip) return;
  const pack = 'import sys, build_wheel as b; b.build_wheel(sys.argv[1]); b.build_sdist(sys.argv[1])';
  await run('python3', ['-c', pack, folder], { cwd: PROJECT, env });
  const quiet = ['--quiet', '--disable-pip-version-check', '--root-user-action', 'ignore', '--no-index', '--no-deps'];
  const install = (site: string, what: string) =>
    run('python3', ['-m', 'pip', 'install', ...quiet, '--target', join(folder, site), what], { cwd: folder, env });
  const archive = (ending: string): string => join(folder, readdirSync(folder).find((file) => file.endsWith(ending))!);
  await install('site', archive('.whl'));
  await run('tar', ['-xzf', archive('.tar.gz')], { cwd: folder });
  await installAsTold();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const python = async (program: string, args: string[] = [], more: Record<string, string> = {}): Promise<string> => {
  const file = join(folder, 'program.py');
  writeFileSync(file, program);
  return (await run('python3', [file, ...args], { cwd: folder, env: { ...env, ...more } })).stdout.trim();
};

onPython('its archives hold the same as its folder', () => {
  const inside = (at: string): string[] =>
    readdirSync(join(folder, at, 'assay')).filter((file) => !file.startsWith('__pycache__'));
  const typed = readdirSync(join(folder, 'shop-python/lib')).map(
    (version) => `shop-python/lib/${version}/site-packages`,
  );
  const source = readdirSync(folder).find((name) => /^assay_client-[\d.]+$/.test(name))!;
  expect(inside('site').length).toBeGreaterThan(5);
  expect([inside(typed[0]!), inside(source)]).toEqual([inside('site'), inside('site')]);
});

onPython(
  'its README goes from nothing to a verified identity',
  async () => {
    const tenant = await newTenant('python');
    const program = /```python\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
    const images = ['passport.jpg', 'selfie-same.jpg'].map((name) => join(ROOT, 'specimens', name));
    const more = { ASSAY_URL: readStack().baseUrl, ASSAY_KEY: tenant.keys.relyingService };
    expect((await python(program, images, more)).split('\n')).toEqual([
      'PASSPORT VERIFIED',
      'PORTRAIT VERIFIED',
      'level of assurance LOA2',
      'the proof is good',
    ]);
  },
  120_000,
);

onPython(
  'tells refusals apart, by their errors and request',
  async () => {
    const program = `
import os
from assay import Client, Refused, Unreachable
for base, key in ((os.environ["ASSAY_URL"], "no key"), ("http://127.0.0.1:9", "")):
    try:
        Client(base, key, retries=0).create_identity()
    except Refused as error:
        print(error.status, error.errors[0]["code"], len(error.request_id or "") > 10)
    except Unreachable as error:
        print(type(error).__name__)
`;
    const said = await python(program, [], { ASSAY_URL: readStack().baseUrl });
    expect(said.split('\n')).toEqual(['401 4010 True', 'Unreachable']);
  },
  60_000,
);

interface Vector {
  file: string;
  verdict: 'good' | 'refused' | 'unusable';
  check?: string;
}

onPython('judges the test vectors of what it checks', async () => {
  const index = JSON.parse(readFileSync(join(VECTORS, 'index.json'), 'utf8')) as { vectors: Vector[] };
  const checked = ['envelope', 'zip', 'hashes', 'signature'];
  const own = index.vectors.filter(({ verdict, check }) => verdict === 'good' || checked.includes(check ?? ''));
  expect(own.length).toBeGreaterThan(20);
  const program = `
import json, pathlib, sys
from assay import verify_proof
keys = json.loads(pathlib.Path(sys.argv[1], "jwks.json").read_text())
for name in sys.argv[2:]:
    print(name, "good" if verify_proof(pathlib.Path(sys.argv[1], name).read_bytes(), keys).ok else "refused")
`;
  const said = await python(program, [VECTORS, ...own.map(({ file }) => file)]);
  expect(said.split('\n')).toEqual(own.map(({ file, verdict }) => `${file} ${verdict}`));
});

onPython('knows a webhook of the service from another', async () => {
  const body = '{"event":"Evaluation"}';
  const signature = createHmac('sha256', 'sécret').update(body).digest('base64');
  const program = `
import sys
from assay import verify_webhook
body, signature = sys.argv[1].encode(), sys.argv[2]
for sent in (body, body + b" "):
    print(verify_webhook(sent, {"X-Signature": signature}, mode="HMAC", header_name="x-signature", secret="sécret"))
`;
  expect((await python(program, [body, signature])).split('\n')).toEqual(['True', 'False']);
});

test('it knows the routes of the OpenAPI document: npm run client:types', () => {
  const at = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  expect(at('clients/python/assay/operations.json')).toEqual(at('libs/client/src/api/operations.json'));
});
