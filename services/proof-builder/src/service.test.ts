import { createPublicKey, X509Certificate } from 'node:crypto';
import { type ProofReport, readKeys, type VerificationKey, verifyProof } from '@assay/client';
import { type Envelope, identityClosed, present, type SigningKeysReply } from '@assay/contracts';
import { loseReply, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TENANT } from './testing/event-builder.ts';
import { type Flow, longestFlow } from './testing/longest-flow.ts';
import { startProofBuilder } from './testing/rig.ts';

const flowOf = new Map(
  ['whole', 'slow', 'closing', 'unclosed', 'twice', 'waiting', 'before', 'unanswered', 'over'].map((name) => [
    name,
    longestFlow(name),
  ]),
);
const flow = (name: string): Flow => flowOf.get(name)!;

let service: Awaited<ReturnType<typeof startProofBuilder>>;
beforeAll(async () => {
  service = await startProofBuilder([...flowOf.values()]);
});
afterAll(() => service.close());

const keys = async (): Promise<VerificationKey[]> =>
  readKeys(await (await service.call(flow('whole'), '/jwks')).text());
const verified = async (bytes: Buffer): Promise<ProofReport> => verifyProof(bytes, await keys());
const documents = (collection: string, identityId: string): Promise<number> =>
  service.mongodb.connection.collection(collection).countDocuments({ identityId });

const archivesOf = async (identityId: string): Promise<string[]> => {
  const proof = await service.mongodb.connection.collection('proofs').findOne<{ archiveIds: string[] }>({ identityId });
  return proof!.archiveIds;
};
const keysOf = (archiveIds: readonly string[]): Promise<number> =>
  service.keyMongodb.connection.collection<{ _id: string }>('archiveKeys').countDocuments({ _id: { $in: archiveIds } });
const chunksOf = (archiveId: string): Promise<number> =>
  service.mongodb.connection
    .collection<{ files_id: string }>('archives.chunks')
    .countDocuments({ files_id: archiveId });

const closing = (flow: Flow, proofId?: string): Envelope<unknown> => ({
  id: `closing-of-${flow.identityId}`,
  type: identityClosed.type,
  at: new Date().toISOString(),
  tenantId: TENANT,
  identityId: flow.identityId,
  data: {
    reason: proofId ? 'PROOF_RETRIEVED' : 'TIMEOUT',
    closedAt: new Date().toISOString().slice(0, 23),
    forgetAt: '2099-01-01T00:00:00.000',
    ...present({ proofId }),
  },
});

describe('a proof', () => {
  test('is built from events in any order, repeated or not, and verifies', async () => {
    const { events } = flow('whole');
    await service.publish([...events].reverse());
    await service.publish(events.slice(0, 10));
    const proof = await service.proof(flow('whole'));
    const bytes = await service.archive(flow('whole'));
    expect(bytes.length).toBe(proof.bytes);
    const report = await verified(bytes);
    expect(report.reasons).toEqual([]);
    expect(report).toMatchObject({ ok: true, repacked: false, proof: { levelOfAssurance: 'LOA2' } });
    expect(await documents('histories', flow('whole').identityId)).toBe(events.length);
    expect(proof.filename).toMatch(new RegExp(`^${flow('whole').identityId}_\\d{17}\\.zip$`));
  });

  test('waits for events that are on their way, and answers 503 when they do not come', async () => {
    const { events, request } = flow('slow');
    const late = events.filter(({ type }) => type === 'evidence.evaluated').slice(-1);
    await service.publish(events.filter((event) => !late.includes(event)));
    const refused = await service.call(flow('slow'), '/proofs', request);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ errors: [{ code: '5031' }] });
    const asked = service.proof(flow('slow'));
    await service.publish(late);
    expect((await asked).proofId).toBe(request.proofId);
  });

  test('requested twice at once is built once', async () => {
    await service.publish(flow('twice').events);
    const [one, other] = await Promise.all([service.proof(flow('twice')), service.proof(flow('twice'))]);
    expect(one).toEqual(other);
    expect(await service.proof(flow('twice'))).toEqual(one);
    const files = await service.mongodb.connection.collection('archives.files').countDocuments({ length: { $gt: 0 } });
    expect(files).toBe(
      await service.mongodb.connection.collection('proofs').countDocuments({ ready: { $exists: true } }),
    );
  });

  test('stays when the reply to its last write is lost', async () => {
    const unanswered = flow('unanswered');
    await service.publish(unanswered.events);
    await waitFor(
      'its history',
      async () => (await documents('histories', unanswered.identityId)) === unanswered.events.length,
    );
    const lost = loseReply(service.mongodb.connection.model('proofs'), 'updateOne');
    const response = await service.call(unanswered, '/proofs', unanswered.request);
    await lost;
    expect(response.status).toBe(500);
    const proof = await service.proof(unanswered);
    expect(proof.proofId).toBe(unanswered.request.proofId);
    expect((await verified(await service.archive(unanswered))).reasons).toEqual([]);
  });

  test('is not given for another identity', async () => {
    await service.proof(flow('whole'));
    const response = await service.call(flow('slow'), `/proofs/${flow('whole').request.proofId}/archive`);
    expect(response.status).toBe(404);
  });
});

describe('when an identity closes', () => {
  test('its history is deleted at once, its archive when the grace period ends', async () => {
    const closed = flow('closing');
    await service.publish(closed.events);
    await service.proof(closed);
    await service.publish([closing(closed, closed.request.proofId)]);
    await waitFor('the purge', async () => (await documents('histories', closed.identityId)) === 0);
    await service.publish(closed.events.slice(0, 3));
    await waitFor('late events', async () => (await documents('histories', closed.identityId)) === 0);
    expect((await verified(await service.archive(closed))).ok).toBe(true);
    const archiveIds = await archivesOf(closed.identityId);
    for (const archiveId of archiveIds) {
      expect(await chunksOf(archiveId)).toBeGreaterThan(0);
      expect(service.retained.get(archiveId)?.length).toBeGreaterThan(0);
    }
    expect(await keysOf(archiveIds)).toBe(1);

    service.later(3600);
    await waitFor('the end of grace', async () => (await documents('proofs', closed.identityId)) === 0);
    expect((await service.call(closed, `/proofs/${closed.request.proofId}/archive`)).status).toBe(404);
    for (const archiveId of archiveIds) {
      expect(await chunksOf(archiveId)).toBe(0);
      expect(service.retained.has(archiveId)).toBe(false);
    }
    expect(await keysOf(archiveIds)).toBe(0);
    expect((await service.call(closed, '/proofs', closed.request)).status).toBe(410);
  });

  test('the grace period begins, so the archive stays until then, however long the download takes', async () => {
    const waiting = flow('waiting');
    await service.publish(waiting.events);
    await service.proof(waiting);
    const before = flow('before');
    await service.publish(before.events);
    await service.proof(before);
    service.later(3600);
    await service.publish([closing(before, before.request.proofId)]);
    await waitFor('the sweep', async () => (await documents('proofs', before.identityId)) === 0);
    expect((await verified(await service.archive(waiting))).ok).toBe(true);
    await service.publish([closing(waiting, waiting.request.proofId)]);
    await waitFor('the end of grace', async () => (await documents('proofs', waiting.identityId)) === 0);
  });

  test('an archive that cannot be removed does not stop the removal of others', async () => {
    const unreadable = Array.from({ length: 100 }, (_, n) => ({ _id: `unreadable-${n}`, expiresAt: new Date(0) }));
    const proofs = service.mongodb.connection.collection<{ _id: string }>('proofs');
    await proofs.insertMany(unreadable);
    const over = flow('over');
    await service.publish(over.events);
    await service.proof(over);
    const archiveIds = await archivesOf(over.identityId);
    await proofs.updateOne({ identityId: over.identityId } as never, { $set: { expiresAt: new Date(1) } });
    await waitFor('the end of its archive', async () => (await documents('proofs', over.identityId)) === 0);
    expect(await keysOf(archiveIds)).toBe(0);
    await proofs.deleteMany({ _id: { $in: unreadable.map(({ _id }) => _id) } });
  });

  test('without its proof having been retrieved, nothing stays', async () => {
    const unclosed = flow('unclosed');
    await service.publish(unclosed.events);
    await service.proof(unclosed);
    const archiveIds = await archivesOf(unclosed.identityId);
    await service.publish([closing(unclosed)]);
    await waitFor('the purge', async () => (await documents('histories', unclosed.identityId)) === 0);
    await waitFor('the end of its key', async () => (await keysOf(archiveIds)) === 0);
    await waitFor('the end of its archive', async () => (await documents('proofs', unclosed.identityId)) === 0);
    for (const archiveId of archiveIds) expect(service.retained.has(archiveId)).toBe(false);
  });
});

describe('signing keys', () => {
  test('are published as JWKS, PEM and certificate', async () => {
    const pem = await (await service.call(flow('whole'), '/signing-key.pem')).text();
    const certificate = new X509Certificate(
      await (await service.call(flow('whole'), '/signing-certificate.pem')).text(),
    );
    expect(certificate.verify(createPublicKey(pem))).toBe(true);
    expect(certificate.publicKey.export({ type: 'spki', format: 'pem' })).toBe(pem);
    expect(readKeys(pem)[0]!.kid).toBe(readKeys(certificate.toString())[0]!.kid);
  });

  test('sign a statement as the requested kind, whatever its content says', async () => {
    const content = { kind: 'deletion-receipt', n: 1 };
    const signed = await service.call(flow('whole'), '/signatures', { kind: 'audit-checkpoint', content });
    const { jws } = (await signed.json()) as { jws: string };
    const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString();
    expect(JSON.parse(payload)).toEqual({ n: 1, kind: 'audit-checkpoint' });
  });

  test('overlap when they rotate, and former ones stay published', async () => {
    const signer = async () =>
      (
        (await (
          await service.call(flow('whole'), '/signatures', { kind: 'audit-checkpoint', content: { n: 1 } })
        ).json()) as {
          kid: string;
        }
      ).kid;
    const before = await signer();
    expect((await service.call(flow('whole'), '/signing-keys', {})).status).toBe(201);
    const listed = (await (await service.call(flow('whole'), '/signing-keys')).json()) as SigningKeysReply;
    expect(listed.keys.find(({ signs }) => signs)?.kid).toBe(before);
    const published = (await keys()).map(({ kid }) => kid);
    expect(published.length).toBeGreaterThanOrEqual(2);
    expect(await signer()).toBe(before);
    service.later(200);
    const after = await signer();
    expect(after).not.toBe(before);
    expect(published).toContain(after);
    expect((await keys()).map(({ kid }) => kid)).toContain(before);
  });
});
