import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { quietLog } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { createApp, listen } from './index.ts';

/** Answers a round of the event loop after the client has ended its side. */
const app = createApp({
  service: 'test',
  log: quietLog,
  routes: (routes) => {
    routes.get('/late', ({ socket }, response) => {
      const answer = () => setImmediate(() => response.end('late'));
      if (socket.readableEnded) answer();
      else socket.once('end', answer);
    });
  },
});

const identity = () => {
  const folder = mkdtempSync(join(tmpdir(), 'half-open-'));
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem'];
  execFileSync('openssl', ['req', '-x509', ...made, '-subj', '/CN=service', ...files], { cwd: folder, stdio: 'pipe' });
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => readFileSync(join(folder, name), 'utf8'));
  rmSync(folder, { recursive: true });
  return { cert: cert!, key: key! };
};

test.each([
  ['in plain HTTP', undefined],
  ['over TLS', identity()],
])('a client that ended its side of the connection gets its reply %s', async (_how, tls) => {
  const served = await listen(app, { port: 0, tls });
  const to = { port: served.port, host: '127.0.0.1', allowHalfOpen: true };
  const socket = tls ? connectTls({ ...to, ca: tls.cert, checkServerIdentity: () => undefined }) : connect(to);
  socket.end('GET /late HTTP/1.1\r\nHost: a\r\n\r\n');
  // It ends as soon as the reply was sent, although the client did not ask for that.
  expect(String(await buffer(socket))).toMatch(/^HTTP\/1.1 200 .*late/s);
  await served.close();
});
