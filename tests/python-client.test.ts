import { execFile, execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newTenant, readStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/**
 * The Python client as its users get it: packed, installed by pip without an index into an empty
 * folder, and used as its README says.
 */

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
/** Runs the commands of the README in a folder that looks like a clone. */
const installAsDocumented = async (): Promise<void> => {
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
  await installAsDocumented();
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
  'the program in its README verifies an identity',
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
  'distinguishes refusals by their errors and request',
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

onPython('sends nothing for an id that would name another path, and shows no key that cannot be sent', async () => {
  const program = `
from assay import Client
assay = Client("http://127.0.0.1:9", "a-key", retries=0)
for path in ({"identityId": "i", "evidenceId": ".."}, {"identityId": "i", "evidenceId": ""}, {"identityId": "i"}):
    try:
        assay.call("deleteEvidence", path=path)
    except ValueError as error:
        print(error)
for key in ("asy_rs_secret\\n", "asy_rs_secret\\r\\n", "asy_rs_secret\\u2019"):
    for given in ({"api_key": key}, {"session_token": key}):
        try:
            Client("http://127.0.0.1:9", **given)
        except ValueError as error:
            print("secret" in str(error))
`;
  expect((await python(program)).split('\n')).toEqual([
    "evidenceId must be an id, not '..'",
    ...new Array(2).fill("evidenceId must be an id, not ''"),
    ...new Array(6).fill('False'),
  ]);
});

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

onPython('says of a proof whether it comes from a sandbox', async () => {
  const program = `
import io, pathlib, re, sys, zipfile
from assay import verify_proof
keys = {"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB"}]}
for used in (b"default 1 sandbox", b"sandbox 1"):
    out = io.BytesIO()
    with zipfile.ZipFile(sys.argv[1]) as good, zipfile.ZipFile(out, "w") as made:
        for name in good.namelist():
            made.writestr(name, re.sub(b'"tenantUsed":"[^"]*"', b'"tenantUsed":"' + used + b'"', good.read(name)))
    print(verify_proof(out.getvalue(), keys).sandbox)
`;
  expect((await python(program, [join(VECTORS, 'good.zip')])).split('\n')).toEqual(['True', 'False']);
});

onPython('refuses whatever else a stranger calls a proof, in little memory', async () => {
  const program = `
import io, json, resource, struct, zipfile
from assay import verify_proof

def packed(files, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, content in files:
            made.writestr(name, content)
    return bytearray(out.getvalue())

def changed(archive, at, value):
    directory = archive.find(b"PK\\x01\\x02")
    struct.pack_into("<I", archive, directory + at, value)
    return archive

head = 30 + len("a/proof.json")
encrypted = changed(packed([("a/proof.json", b"{}")]), 8, 1)
encrypted[6] |= 1
torn = packed([("a/proof.json", b"x" * 1000)], zipfile.ZIP_DEFLATED)
torn[head] = 0xff
archives = {
    "no folder": packed([("proof.json", b"{}")]),
    "out of the folder": packed([("a/proof.json", b"{}"), ("a/../b", b"")]),
    "out of it on Windows": packed([("a/proof.json", b"{}"), ("a/..\\\\b", b"")]),
    "encrypted": encrypted,
    "a torn stream": torn,
    "less than it says": changed(changed(packed([("a/proof.json", b"{}")]), 20, 5000), 24, 5000),
    "another method": packed([("a/proof.json", b"{}")], zipfile.ZIP_LZMA),
    "nested deep": packed([("a/proof.json", b"[" * 200_000)]),
    "no object": packed([("a/proof.json", b"[]")]),
    "a number without end": packed([("a/proof.json", b'{"hashes":{},"n":' + b"9" * 100_000 + b"}")]),
    "a path that steers": packed([("a/proof.json", b'{"hashes":{"images":[{"path":"x\\u001b[2Jy","hash":""}]},"signature":""}')]),
    "a bomb": packed([("a/proof.json", b"{}"), ("a/x", bytes(400 * 1024**2))], zipfile.ZIP_DEFLATED),
}
many = packed([(f"a/{number}", b"") for number in range(10_001)])
print(verify_proof(bytes(many), {"keys": [{}]}).reasons)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for name, archive in archives.items():
    report = verify_proof(bytes(archive), {"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB"}]})
    print(name, report.ok, len(report.reasons) > 0, any(ord(each) < 32 for reason in report.reasons for each in reason))
print("grew", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024)
`;
  const [ofMany, ...said] = (await python(program)).split('\n');
  expect(ofMany).toBe("['not read: it has more entries than a proof has']");
  expect(said).toHaveLength(13);
  expect(said.pop()).toBe('grew True');
  for (const line of said) expect(line).toMatch(/ False True False$/);
});

onPython('refuses a proof packed again with links, empty folders, other names or a mass of values', async () => {
  const program = `
import io, json, pathlib, resource, sys, zipfile
from assay import verify_proof

folder = pathlib.Path(sys.argv[1])
keys = json.loads((folder / "jwks.json").read_text())
with zipfile.ZipFile(folder / "good.zip") as good:
    files = [(name, good.read(name)) for name in good.namelist()]
root = files[0][0].split("/")[0]

def packed(system=3, mode=0o100644, extra=b"", folders=(), proof=None, tail=""):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in folders:
            made.writestr(zipfile.ZipInfo(f"{root}/{name}"), b"", zipfile.ZIP_STORED)
        for name, content in files:
            info = zipfile.ZipInfo(name)
            info.filename += tail
            info.create_system, info.external_attr, info.extra = system, mode << 16, extra
            made.writestr(info, proof if proof and name.endswith("/proof.json") else content, zipfile.ZIP_DEFLATED)
    return out.getvalue()

def hidden(archive):
    at = zipfile.ZipFile(io.BytesIO(archive)).start_dir
    entry = b"PK\\x03\\x04" + bytes(10) + bytes(12) + (1).to_bytes(2, "little") + bytes(2) + b"x"
    end = bytearray(archive[at:] )
    end[-6:-2] = (at + len(entry)).to_bytes(4, "little")
    return archive[:at] + entry + bytes(end)

def behind(archive, extra=b"", sizes=None, end=None):
    """With an extra field before the data of the first entry, other sizes there, or another end."""
    opened = zipfile.ZipFile(io.BytesIO(archive))
    name = len(opened.infolist()[0].filename.encode())
    local, rest = bytearray(archive[: 30 + name]), bytearray(archive[30 + name :])
    local[28:30] = len(extra).to_bytes(2, "little")
    local[18:26] = sizes or local[18:26]
    out = local + extra + rest
    at = opened.start_dir + len(extra)
    for one in range(len(opened.infolist())):
        begin = int.from_bytes(out[at + 42 : at + 46], "little")
        out[at + 42 : at + 46] = (begin + (len(extra) if one else 0)).to_bytes(4, "little")
        at += 46 + sum(int.from_bytes(out[at + field : at + field + 2], "little") for field in (28, 30, 32))
    out[-6:-2] = (opened.start_dir + len(extra)).to_bytes(4, "little")
    return bytes(out[:-14]) + (end or bytes(out[-14:]))

def in_envelope(archive, boundary):
    head = b'--%s\\r\\nContent-Disposition: form-data; name="proof"; filename="%s.zip"\\r\\nContent-Type: application/zip\\r\\n\\r\\n'
    return head % (boundary, root.encode()) + archive + b"\\r\\n--%s--\\r\\n" % boundary

note = b"UT\\x0d\\x00\\r\\n--within--\\r\\n"[:17]

def renamed(archive):
    return archive.replace(root.encode(), root[:-1].encode() + (b"0" if root[-1] != "0" else b"1"))

values = b'{"hashes":{},"signature":"","ips":[' + b"".join(b'"%040x",' % (7**n % 2**160) + b"{}," * 1000 for n in range(3000)) + b"{}]}"
archives = {
    "packed again": packed(folders=["images/"]),
    "on another system": packed(system=0, mode=0),
    "links of BeOS": packed(system=16, mode=0o120777),
    "an empty folder": packed(folders=["proof.json/"]),
    "a second name": packed(extra=bytes.fromhex("7570060001000000") + b"ax"),
    "names that go on behind a NUL": packed(tail="\\0/../../x"),
    "a mass of values": packed(proof=values),
    "an entry of no directory": hidden(packed()),
    "an extra field": behind(packed(), extra=note),
    "a second name in front": behind(packed(), extra=bytes.fromhex("7570060001000000") + b"ax"),
    "other sizes in front": behind(packed(), sizes=bytes.fromhex("04000000" * 2)),
    "other wide sizes in front": behind(packed(), bytes.fromhex("01001000" + "0400000000000000" * 2), bytes.fromhex("ff" * 8)),
    "an end of fewer entries": behind(packed(), end=b"\\x01\\x00" + packed()[-12:]),
    "an envelope": in_envelope(behind(packed(), extra=note), b"without"),
    "its boundary within": in_envelope(behind(packed(), extra=note), b"within"),
    "another folder": renamed((folder / "good.zip").read_bytes()),
}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for name, archive in archives.items():
    print(name, verify_proof(archive, keys).ok)
print("grew", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024)
`;
  expect((await python(program, [VECTORS])).split('\n')).toEqual([
    'packed again True',
    'on another system True',
    'links of BeOS False',
    'an empty folder False',
    'a second name False',
    'names that go on behind a NUL False',
    'a mass of values False',
    'an entry of no directory False',
    'an extra field True',
    'a second name in front False',
    'other sizes in front False',
    'other wide sizes in front False',
    'an end of fewer entries False',
    'an envelope True',
    'its boundary within False',
    'another folder False',
    'grew True',
  ]);
});

onPython(
  'refuses an envelope with other headers, and an archive that is another one to readers of streams',
  async () => {
    const program = `
import io, json, pathlib, sys, zipfile
from assay import verify_proof

folder = pathlib.Path(sys.argv[1])
keys = json.loads((folder / "jwks.json").read_text())
sent = (folder / "good.mime").read_bytes()

class Stream(io.RawIOBase):
    """It cannot be rewound: sizes follow the data."""
    def __init__(self):
        self.written = bytearray()
    def writable(self):
        return True
    def write(self, content):
        self.written += content
        return len(content)

def streamed(wide):
    out = Stream()
    with zipfile.ZipFile(folder / "good.zip") as good, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in good.namelist():
            with made.open(name, "w", force_zip64=wide) as one:
                one.write(good.read(name))
    return out.written

def altered(archive, mark, at):
    copy = bytearray(archive)
    copy[copy.rfind(mark) + at] ^= 1
    return copy

kind = b"Content-Type: application/zip"
archives = {
    "as sent": sent,
    "without the last line": sent[:-2],
    "another kind": sent.replace(kind, b"Content-Type: text/html"),
    "another encoding": sent.replace(kind, kind + b"\\r\\nContent-Transfer-Encoding: base64"),
    "another name": sent.replace(b'name="proof"', b'name="other"'),
    "two names": sent.replace(b"filename=", b"filename*=UTF-8''evil.zip; filename="),
    "words behind it": sent + b"more",
    "a stream": streamed(False),
    "a wide stream": streamed(True),
    "another CRC behind the data": altered(streamed(False), b"PK\\x07\\x08", 4),
    "another size behind the data": altered(streamed(True), b"PK\\x07\\x08", 16),
    "no header": altered(streamed(False), b"PK\\x03\\x04", 3),
}
for name, archive in archives.items():
    print(name, verify_proof(bytes(archive), keys).ok)
`;
    expect((await python(program, [VECTORS])).split('\n')).toEqual([
      'as sent True',
      'without the last line True',
      'another kind False',
      'another encoding False',
      'another name False',
      'two names False',
      'words behind it False',
      'a stream True',
      'a wide stream True',
      'another CRC behind the data False',
      'another size behind the data False',
      'no header False',
    ]);
  },
);

onPython('a cut answer, and a refusal in words of a proxy, are errors of its own', async () => {
  const answers: Record<string, string> = {
    cut: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":',
    'cut refusal': 'HTTP/1.1 400 Bad Request\r\ncontent-length: 100\r\n\r\n{"errors":',
    'no HTTP': 'SSH-2.0-OpenSSH_9.6\r\n',
    list: 'HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n[]',
    text: 'HTTP/1.1 502 Bad Gateway\r\nretry-after: \u00b2\r\ncontent-length: 6\r\n\r\n"away"',
    'errors of no kind': 'HTTP/1.1 400 Bad Request\r\ncontent-length: 15\r\n\r\n{"errors":"no"}',
    'errors that are none': 'HTTP/1.1 400 Bad Request\r\ncontent-length: 14\r\n\r\n{"errors":[0]}',
    page: 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>',
    'other JSON': 'HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n{"id": "else"}',
    'a list': 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]',
    nothing: 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      const name = /apikey: (.*)\r\n/i.exec(request.toString('latin1'))?.[1] ?? '';
      socket.end(Buffer.from(answers[name] ?? '', 'latin1'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const program = `
import sys
from assay import Client, Refused, Unreachable
for name in sys.argv[2:]:
    try:
        Client(sys.argv[1], name, retries=0).identity("1")
    except (Refused, Unreachable) as error:
        print(name, type(error).__name__, getattr(error, "status", "-"))
for base in ("", "assay.example", "ftp://assay.example"):
    try:
        Client(base, "key")
    except ValueError as error:
        print(str(error).split(",")[0])
`;
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await python(program, [base, ...Object.keys(answers)])).split('\n')).toEqual([
    'cut Unreachable -',
    'cut refusal Unreachable -',
    'no HTTP Unreachable -',
    'list Refused 400',
    'text Refused 502',
    'errors of no kind Refused 400',
    'errors that are none Refused 400',
    ...['page', 'other JSON', 'a list', 'nothing'].map((name) => `${name} Unreachable -`),
    ...Array<string>(3).fill('base_url must be an address such as https://assay.example'),
  ]);
  server.close();
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
