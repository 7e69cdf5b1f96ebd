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
