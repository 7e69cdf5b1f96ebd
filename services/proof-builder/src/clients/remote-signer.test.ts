import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ENDLESS_PEERS, quietLog, startEndlessPeer } from '@assay/testing';
import { expect, test } from '@jest/globals';
import { createRemoteSigner } from './remote-signer.ts';

test.each(Object.entries(ENDLESS_PEERS))(
  'a signer that %s is unavailable: a build does not wait for it without end',
  async (_name, peer) => {
    const { port, close } = await startEndlessPeer(peer);
    const signer = createRemoteSigner({ url: `http://127.0.0.1:${port}`, timeoutMs: 300, log: quietLog });
    await expect(signer.sign('x')).rejects.toMatchObject({ status: 503 });
    close();
  },
);

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEYS = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] });
test.each([
  ['a page of a proxy', '<html>please sign in</html>', ''],
  ['null', 'null', ''],
  ['no list', '{"keys": {}}', ''],
  ['a key of another kind', '{"keys": [{"kty": "oct", "k": "AAAA"}]}', ''],
  ['a page of a proxy instead of a signature', KEYS, '<html>'],
  ['a signature that is no text', KEYS, '{"signature": 5}'],
])('a signer that answers %s is unavailable', async (_name, keys, signature) => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    request.resume().once('end', () => response.end(request.method === 'GET' ? keys : signature));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const signer = createRemoteSigner({ url: `http://127.0.0.1:${port}`, log: quietLog });
  await expect(signer.sign('x')).rejects.toMatchObject({ status: 503 });
  server.close().closeAllConnections();
});
