import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Worker } from 'node:worker_threads';
import {
  newIdentity,
  newTenant,
  type OwnSuite,
  onSharedEngines,
  readStack,
  specimen,
  startOwnSuite,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/**
 * The main path with every internal connection encrypted: services call each other over TLS, and
 * reach both engines over TLS. The test makes the certificates.
 */

const folder = mkdtempSync(join(tmpdir(), 'tls-'));
const file = (name: string): string => join(folder, name);

/** Makes an authority, and a certificate for this machine that the authority signed. */
const makeCertificates = (): void => {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...made, '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.crt');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-addext', 'subjectAltName=IP:127.0.0.1'];
  openssl('req', '-x509', ...made, '-subj', '/CN=service', ...signed, '-keyout', 'tls.key', '-out', 'tls.crt');
};

/**
 * A TLS proxy in front of both engines. It has a thread of its own, because starting a suite blocks
 * this one.
 */
const PROXY = `
  const { readFileSync } = require('node:fs');
  const { connect } = require('node:net');
  const { createServer } = require('node:tls');
  const { parentPort, workerData } = require('node:worker_threads');
  const pair = { cert: readFileSync(workerData.cert), key: readFileSync(workerData.key) };
  for (const [name, target] of Object.entries(workerData.targets)) {
    const server = createServer(pair, (client) => {
      const engine = connect(target.port, target.host);
      for (const socket of [client, engine]) socket.on('error', () => { client.destroy(); engine.destroy(); });
      client.pipe(engine).pipe(client);
    });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1', () => parentPort.postMessage([name, server.address().port]));
  }
`;

const targetOf = (url: string) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) });

let proxy: Worker;
let suite: OwnSuite;
beforeAll(async () => {
  makeCertificates();
  const engines = onSharedEngines();
  const targets = { mongo: targetOf(engines.MONGODB_URI!), amqp: targetOf(engines.AMQP_URL!) };
  proxy = new Worker(PROXY, {
    eval: true,
    workerData: { cert: file('tls.crt'), key: file('tls.key'), targets },
  });
  const ports = new Map<string, number>();
  proxy.on('message', ([name, port]: [string, number]) => ports.set(name, port));
  await waitFor('the proxies', () => ports.size === 2);
  const { username, password } = new URL(engines.AMQP_URL!);
  suite = await startOwnSuite('tls', {
    ...engines,
    MONGODB_URI: `mongodb://127.0.0.1:${ports.get('mongo')}/?directConnection=true&tls=true`,
    AMQP_URL: `amqps://${username}:${password}@127.0.0.1:${ports.get('amqp')}`,
    TLS_CERT_FILE: file('tls.crt'),
    TLS_KEY_FILE: file('tls.key'),
    NODE_EXTRA_CA_CERTS: file('ca.crt'),
  });
}, 300_000);
afterAll(async () => {
  await suite?.stop();
  await proxy?.terminate();
  rmSync(folder, { recursive: true });
}, 60_000);

test('a document is verified and its proof retrieved', async () => {
  const tenant = await newTenant('tls');
  const identity = await newIdentity(tenant.relyingService);
  await identity.consent('PORTRAIT', 'GIV');
  const document = await identity.document(specimen('passport.jpg'));
  expect((await identity.stable(document.body.id, 60_000)).status).toBe('VERIFIED');
  expect((await identity.proof()).status).toBe(200);
}, 120_000);

test('a service answers over TLS alone, by a certificate of the authority', async () => {
  const port = Number(new URL(readStack().services['evidence-intake']![0]!.internalUrl).port);
  await expect(fetch(`http://127.0.0.1:${port}/internal/v1/evidences`)).rejects.toThrow();
  const status = new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/internal/v1/media/x', ca: readFileSync(file('ca.crt')) }, (response) => {
      resolve(response.resume().statusCode);
    });
  });
  expect(await status).toBe(401);
  const stranger = connect({ host: '127.0.0.1', port });
  const [error] = (await once(stranger, 'error')) as [{ code: string }];
  expect(error.code).toMatch(/SELF_SIGNED|UNABLE_TO/);
});
