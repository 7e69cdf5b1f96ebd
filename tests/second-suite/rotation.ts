import { createHmac } from 'node:crypto';
import { inspectProof, readKeys } from '@assay/client';
import { newIdentity, newTenant, readStack, startWebhookReceiver, type Tenant, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';

const [FORMER, NEXT] = ['the former secret', 'the next secret'];

/** A client that takes one identity after the other from creation to proof, until it is stopped. */
const startClient = (tenant: Tenant) => {
  const proofs: Buffer[] = [];
  const statuses: number[] = [];
  let isWorking = true;
  const work = async (): Promise<void> => {
    while (isWorking) {
      const identity = await newIdentity(tenant.relyingService);
      const address = await tenant.relyingService.post(`${identity.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
      await identity.stable(address.body.id);
      const proof = await identity.proof();
      statuses.push(identity.created.status, address.status, proof.status);
      if (proof.status === 200) proofs.push(proof.bytes);
    }
  };
  const working = work();
  return {
    proofs,
    statuses,
    stop: async (): Promise<void> => {
      isWorking = false;
      await working;
    },
  };
};

const publishedKeys = async () => readKeys(await (await fetch(`${readStack().baseUrl}/.well-known/jwks.json`)).text());
/** The key that signed a proof; undefined if the proof does not verify. */
const signerOf = async (proof: Buffer): Promise<string | undefined> => {
  const { report } = await inspectProof(proof, await publishedKeys());
  return report.reasons.length === 0 ? report.kid : undefined;
};

/**
 * Needs a suite whose new signing keys sign one second after they are published. It replaces the
 * keys, so no other story may use the suite.
 */
export const rotationStory = (): void => {
  test('of signing keys and of a webhook’s secret under load: every proof and every webhook verifies', async () => {
    const receiver = await startWebhookReceiver();
    const webhook = { url: receiver.url, mode: 'HMAC', headerName: 'X-Signature' } as const;
    const tenant = await newTenant('rotation', { webhook: { ...webhook, secret: FORMER } });
    const clients = [startClient(tenant), startClient(tenant)];
    const statuses = () => clients.flatMap((client) => client.statuses);
    const proofs = () => clients.flatMap((client) => client.proofs);
    const macOf = (raw: Buffer, secret: string) => createHmac('sha256', secret).update(raw).digest('base64');
    const isSignedWith = (secret: string) => () =>
      receiver.received.some(({ raw, headers }) => headers['x-signature'] === macOf(raw, secret));
    /** Rotates, and waits for a proof that is signed by a new key. */
    const rotate = async (body: object): Promise<string> => {
      const before = new Set(
        (await tenant.admin.get('/admin/v1/signing-keys')).body.keys.map(({ kid }: { kid: string }) => kid),
      );
      expect((await tenant.admin.post('/admin/v1/signing-keys/rotations', body)).status).toBe(200);
      return waitFor('a proof of the next key', async () => {
        const last = proofs().at(-1);
        const signer = last && (await signerOf(last));
        return signer !== undefined && !before.has(signer) && signer;
      });
    };

    await waitFor('a webhook with the former secret', isSignedWith(FORMER));
    const settings = { webhook: { ...webhook, secret: NEXT, formerSecret: FORMER } };
    expect((await tenant.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings })).status).toBe(200);
    const second = await rotate({});
    const third = await rotate({ atOnce: true });
    await waitFor('a webhook with the next secret', isSignedWith(NEXT));
    for (const client of clients) await client.stop();

    expect(statuses().filter((status) => status !== 200)).toEqual([]);
    const signers = new Set(await Promise.all(proofs().map(signerOf)));
    expect(signers).toContain(second);
    expect(signers).toContain(third);
    expect(signers).not.toContain(undefined);
    const { keys } = (await tenant.admin.get('/admin/v1/signing-keys')).body;
    expect(keys.map(({ kid, signs }: { kid: string; signs: boolean }) => [kid, signs]).slice(0, 2)).toEqual([
      [third, true],
      [second, false],
    ]);
    const unsigned = receiver.received.filter(
      ({ raw, headers }) => ![FORMER, NEXT].some((secret) => headers['x-signature'] === macOf(raw, secret)),
    );
    expect(unsigned).toEqual([]);
    await receiver.close();
  });
};
