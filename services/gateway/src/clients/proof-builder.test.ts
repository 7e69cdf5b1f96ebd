import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProofRequest } from '@assay/contracts';
import { createInternalClient } from '@assay/http';
import { quietLog, testKeys } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createProofBuilder, type ProofBuilder } from './proof-builder.ts';

const CLAIMS = { tenantId: 't', identityId: 'i', requestId: 'r' };

let hanging: Server;
let proofBuilder: ProofBuilder;
beforeAll(async () => {
  hanging = createServer(() => undefined);
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const client = (timeoutMs: number) =>
    createInternalClient({ baseUrl, keys: testKeys('gateway'), to: 'proof-builder', timeoutMs, log: quietLog });
  proofBuilder = createProofBuilder(client(100), client(60_000));
});
afterAll(() => {
  hanging.closeAllConnections();
  hanging.close();
});

test('nobody who asks for keys, schemas or a signature waits as long as an archive may take', async () => {
  let isBuilt = false;
  const built = proofBuilder.build(CLAIMS, {} as ProofRequest).finally(() => {
    isBuilt = true;
  });
  const refused = await Promise.all(
    [
      proofBuilder.jwks('r'),
      proofBuilder.pem('signing-key', 'r'),
      proofBuilder.schemas('r'),
      proofBuilder.schema('proof.schema.json', 'r'),
      proofBuilder.signingKeys('r'),
      proofBuilder.history(CLAIMS),
    ].map((asked) => asked.catch(({ name }: Error) => name)),
  );
  expect(refused).toEqual(refused.map(() => 'ApiError'));
  expect(isBuilt).toBe(false);
  hanging.closeAllConnections();
  await expect(built).rejects.toThrow();
});
