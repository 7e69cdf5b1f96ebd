import { generateKeyPairSync } from 'node:crypto';
import { present } from '@assay/contracts';
import { type Listening, listen } from '@assay/http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createAamva } from '../../../../../tools/simulators/src/aamva/app.ts';
import { createBook } from '../../../../../tools/simulators/src/source/book.ts';
import { createExchange } from '../exchange.ts';
import { createTokens } from './tokens.ts';

const nothing = (): void => undefined;
const log = { info: nothing, warn: nothing, error: nothing, debug: nothing, fatal: nothing };
const keys = (): { publicKey: string; privateKey: string } =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

const open: Listening[] = [];
afterAll(async () => {
  for (const { close, server } of open) {
    const closed = close();
    server.closeAllConnections();
    await closed;
  }
});

const serve = async (clientKey?: string) => {
  const aamva = await listen(createAamva({ book: createBook(), log, ...present({ clientKey }) }), {
    port: 0,
  });
  open.push(aamva);
  return createTokens({
    authenticateUrl: `http://127.0.0.1:${aamva.port}/Authentication/Authenticate.svc`,
    exchange: createExchange(),
    clock: () => new Date(),
  });
};

describe('the token steps', () => {
  const client = keys();

  test('the client signs a context, and signs a token with the secret that both sides derive', async () => {
    const tokens = await serve(client.publicKey);
    const credentials = { originatorId: 'T', privateKey: client.privateKey, thumbprint: 'dGh1bWI=' };
    const first = await tokens.get('one', credentials, 5000);
    expect(first).toEqual({ kind: 'TOKEN', token: expect.any(String) });
    expect(await tokens.get('one', credentials, 5000)).toEqual(first);
    tokens.forget('one');
    expect(await tokens.get('one', credentials, 5000)).not.toEqual(first);
  });

  test.each([
    ['without a signature', {}],
    ['signed with another key', { privateKey: keys().privateKey }],
  ])('%s the first step is refused', async (_how, more) => {
    const tokens = await serve(client.publicKey);
    expect(await tokens.get('one', { originatorId: 'T', ...more }, 5000)).toEqual({
      kind: 'OUTAGE',
      outage: 'REFUSED',
      code: 'FailedAuthentication',
    });
  });
});
