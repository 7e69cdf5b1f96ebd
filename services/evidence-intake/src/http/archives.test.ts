import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { HeldMedium } from '@assay/contracts';
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

/** An identity with a document of two sides. */
const aDocument = async () => {
  const identity = anIdentity();
  const claims = identity.claims();
  const { body } = await upload(rig, claims, [part('DocumentFront', front), part('DocumentBack', back)]);
  const [frontId, backId] = (body.media as { mediaId: string }[]).map(({ mediaId }) => mediaId);
  return { ...identity, claims, frontId: frontId!, backId: backId! };
};
type Document = Awaited<ReturnType<typeof aDocument>>;

const hold = (of: Document, archiveId: string, mediaIds: string[], claims = of.claims) =>
  rig.call('PUT', `/archives/${archiveId}/media`, claims, Buffer.from(JSON.stringify({ mediaIds })), {
    'content-type': 'application/json',
  });
const release = (of: Document, archiveId: string) => rig.call('DELETE', `/archives/${archiveId}/media`, of.claims);
const sealed = ({ claims: { key: _, ...keyless } }: Document, archiveId: string, mediaId: string) =>
  rig.call('GET', `/archives/${archiveId}/media/${mediaId}`, keyless);
const idsOf = async ({ identityId }: Document) =>
  (await rig.mongodb.connection.collection<{ _id: string }>('media').find({ identityId }).toArray()).map(
    ({ _id }) => _id,
  );
const close = async (of: Document) => {
  await rig.publish('identity.closed', of.identityId, {
    reason: 'PROOF_RETRIEVED',
    closedAt: '2026-01-01T00:00:00.000',
    forgetAt: '2099-01-01T00:00:00.000',
  });
  await waitFor(
    'the purge',
    async () => (await rig.call('GET', `/evidences/${of.claims.evidenceId}/media`, of.claims)).status === 404,
  );
};

describe('media that an archive holds', () => {
  test('come with the keys that open them', async () => {
    const of = await aDocument();
    const archiveId = newId();
    const { status, body } = await hold(of, archiveId, [of.frontId]);
    expect(status).toBe(200);
    const [{ mediaId, wrappedKey }] = body as unknown as [HeldMedium];
    const context = mediaContext(of.claims.tenantId, of.identityId, mediaId);
    const key = unwrapKey(of.key, wrappedKey, context);
    const { bytes } = await sealed(of, archiveId, of.frontId);
    expect(bytes.includes(front.subarray(0, 64))).toBe(false);
    expect(await buffer(Readable.from([bytes]).pipe(openStream(key, context)))).toEqual(front);
  });

  test('outlive the identity, and what is not held goes with it', async () => {
    const of = await aDocument();
    const archiveId = newId();
    await hold(of, archiveId, [of.frontId]);
    const before = await sealed(of, archiveId, of.frontId);
    await close(of);
    expect(await idsOf(of)).toEqual([of.frontId]);
    expect((await sealed(of, archiveId, of.frontId)).bytes).toEqual(before.bytes);
    expect((await sealed(of, archiveId, of.backId)).status).toBe(404);
  });

  test('go when the last archive has let go', async () => {
    const of = await aDocument();
    const [failed, finished] = [newId(), newId()];
    await hold(of, failed, [of.frontId, of.backId]);
    await hold(of, finished, [of.frontId]);
    await close(of);
    expect((await release(of, failed)).status).toBe(204);
    expect(await idsOf(of)).toEqual([of.frontId]);
    expect((await sealed(of, failed, of.frontId)).status).toBe(404);
    for (const _ of [1, 2]) expect((await release(of, finished)).status).toBe(204);
    expect(await idsOf(of)).toEqual([]);
    expect((await sealed(of, finished, of.frontId)).status).toBe(404);
  });

  test('stay while the identity is open, and go with it once the archive has let go', async () => {
    const of = await aDocument();
    const archiveId = newId();
    await hold(of, archiveId, [of.frontId]);
    await release(of, archiveId);
    expect((await rig.call('GET', `/media/${of.frontId}`, of.claims)).bytes).toEqual(front);
    await close(of);
    expect(await idsOf(of)).toEqual([]);
  });

  test('are swept up when no archive ever lets go', async () => {
    const of = await aDocument();
    await hold(of, newId(), [of.frontId]);
    await close(of);
    const media = rig.mongodb.connection.collection<{ _id: string }>('media');
    await waitFor('the mark', () => media.findOne({ _id: of.frontId, orphanAt: new Date('2099-01-01T00:00:00.000Z') }));
    await media.updateOne({ _id: of.frontId }, { $set: { orphanAt: new Date(0) } });
    await waitFor('the sweep', async () => (await idsOf(of)).length === 0);
  });

  test('have to be there, and to be of the identity that asks', async () => {
    const [of, other] = [await aDocument(), await aDocument()];
    expect((await hold(of, newId(), [of.frontId, newId()])).status).toBe(404);
    expect((await hold(of, newId(), [other.frontId])).status).toBe(404);
    const archiveId = newId();
    await hold(of, archiveId, [of.frontId]);
    expect((await sealed(other, archiveId, of.frontId)).status).toBe(404);
    expect(await hold(of, newId(), ['no id'])).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'mediaIds[0]' }, { field: 'mediaIds[0]' }] },
    });
  });
});
