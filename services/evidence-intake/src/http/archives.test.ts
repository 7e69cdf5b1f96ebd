import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { RetainedMedium } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { mediaContext, openStream, unwrapKey } from '@assay/sealing';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { part, upload } from '../testing/forms.ts';
import { anIdentity, anImage, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let front: Buffer;
let back: Buffer;
beforeAll(async () => {
  rig = await startRig();
  front = await anImage();
  back = await anImage(300, 200);
});
afterAll(() => rig.close());

/** An identity with a document that has two sides. */
const aDocument = async () => {
  const identity = anIdentity();
  const claims = identity.claims();
  const { body } = await upload(rig, claims, [part('DocumentFront', front), part('DocumentBack', back)]);
  const [frontId, backId] = (body.media as { mediaId: string }[]).map(({ mediaId }) => mediaId);
  return { ...identity, claims, frontId: frontId!, backId: backId! };
};
type Document = Awaited<ReturnType<typeof aDocument>>;

const hold = (document: Document, archiveId: string, mediaIds: string[], claims = document.claims) =>
  rig.call('PUT', `/archives/${archiveId}/media`, claims, Buffer.from(JSON.stringify({ mediaIds })), {
    'content-type': 'application/json',
  });
const release = (document: Document, archiveId: string) =>
  rig.call('DELETE', `/archives/${archiveId}/media`, document.claims);
const sealed = ({ claims: { key: _, ...keyless } }: Document, archiveId: string, mediaId: string) =>
  rig.call('GET', `/archives/${archiveId}/media/${mediaId}`, keyless);
const idsOf = async ({ identityId }: Document) =>
  (await rig.mongodb.connection.collection<{ _id: string }>('media').find({ identityId }).toArray()).map(
    ({ _id }) => _id,
  );
const close = async (document: Document) => {
  await rig.publish('identity.closed', document.identityId, {
    reason: 'PROOF_RETRIEVED',
    closedAt: '2026-01-01T00:00:00.000',
    forgetAt: '2099-01-01T00:00:00.000',
  });
  await waitFor(
    'the purge',
    async () =>
      (await rig.call('GET', `/evidences/${document.claims.evidenceId}/media`, document.claims)).status === 404,
  );
};

test('the media of an evidence are those that it names, and none of an upload that was repeated before its outcome was known', async () => {
  const document = await aDocument();
  const listed = async () => {
    const list = await rig.call('GET', `/evidences/${document.claims.evidenceId}/media`, document.claims);
    return (list.body as unknown as { mediaId: string }[]).map(({ mediaId }) => mediaId);
  };
  const media = rig.mongodb.connection.collection<{ _id: string }>('media');
  const stored = await media.findOne({ _id: document.frontId });
  await media.insertOne({ ...stored!, _id: newId() });
  expect(await listed()).toEqual([document.frontId, document.backId]);
});

describe('media that an archive retains', () => {
  test('come with the keys that open them', async () => {
    const document = await aDocument();
    const archiveId = newId();
    const { status, body } = await hold(document, archiveId, [document.frontId]);
    expect(status).toBe(200);
    const [{ mediaId, wrappedKey }] = body as unknown as [RetainedMedium];
    const context = mediaContext(document.claims.tenantId, document.identityId, mediaId);
    const key = unwrapKey(document.key, wrappedKey, context);
    const { bytes } = await sealed(document, archiveId, document.frontId);
    expect(bytes.includes(front.subarray(0, 64))).toBe(false);
    expect(await buffer(Readable.from([bytes]).pipe(openStream(key, context)))).toEqual(front);
  });

  test('outlive the identity, and other media are deleted with it', async () => {
    const document = await aDocument();
    const archiveId = newId();
    await hold(document, archiveId, [document.frontId]);
    const before = await sealed(document, archiveId, document.frontId);
    await close(document);
    expect(await idsOf(document)).toEqual([document.frontId]);
    expect((await sealed(document, archiveId, document.frontId)).bytes).toEqual(before.bytes);
    expect((await sealed(document, archiveId, document.backId)).status).toBe(404);
  });

  test('are unavailable, not unknown, while the store does not find their bytes', async () => {
    const document = await aDocument();
    const archiveId = newId();
    await hold(document, archiveId, [document.frontId]);
    const media = rig.mongodb.connection.collection<{ _id: string }>('media');
    await media.updateOne({ _id: document.frontId }, { $unset: { content: 1 }, $set: { blobId: newId() } });
    expect((await sealed(document, archiveId, document.frontId)).status).toBe(503);
    await release(document, archiveId);
    expect((await sealed(document, archiveId, document.frontId)).status).toBe(404);
  });

  test('are deleted when the last archive has released them', async () => {
    const document = await aDocument();
    const [failed, finished] = [newId(), newId()];
    await hold(document, failed, [document.frontId, document.backId]);
    await hold(document, finished, [document.frontId]);
    await close(document);
    expect((await release(document, failed)).status).toBe(204);
    expect(await idsOf(document)).toEqual([document.frontId]);
    expect((await sealed(document, failed, document.frontId)).status).toBe(404);
    for (const _ of [1, 2]) expect((await release(document, finished)).status).toBe(204);
    expect(await idsOf(document)).toEqual([]);
    expect((await sealed(document, finished, document.frontId)).status).toBe(404);
  });

  test('stay while the identity is open, and are deleted with it once the archive has released them', async () => {
    const document = await aDocument();
    const archiveId = newId();
    await hold(document, archiveId, [document.frontId]);
    await release(document, archiveId);
    expect((await rig.call('GET', `/media/${document.frontId}`, document.claims)).bytes).toEqual(front);
    await close(document);
    expect(await idsOf(document)).toEqual([]);
  });

  test('are swept when no archive ever releases them', async () => {
    const document = await aDocument();
    await hold(document, newId(), [document.frontId]);
    await close(document);
    const media = rig.mongodb.connection.collection<{ _id: string }>('media');
    await waitFor('the mark', () =>
      media.findOne({ _id: document.frontId, orphanAt: new Date('2099-01-01T00:00:00.000Z') }),
    );
    await media.updateOne({ _id: document.frontId }, { $set: { orphanAt: new Date(0) } });
    await waitFor('the sweep', async () => (await idsOf(document)).length === 0);
  });

  test('must exist, and must belong to the identity that asks', async () => {
    const [document, other] = [await aDocument(), await aDocument()];
    expect((await hold(document, newId(), [document.frontId, newId()])).status).toBe(404);
    expect((await hold(document, newId(), [other.frontId])).status).toBe(404);
    const archiveId = newId();
    await hold(document, archiveId, [document.frontId]);
    expect((await sealed(other, archiveId, document.frontId)).status).toBe(404);
    expect(await hold(document, newId(), ['no id'])).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'mediaIds[0]' }, { field: 'mediaIds[0]' }] },
    });
  });
});
