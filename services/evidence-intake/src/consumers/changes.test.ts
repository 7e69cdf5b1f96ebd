import type { InternalClaims } from '@assay/contracts';
import { createTombstones } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { part, upload } from '../testing/forms.ts';
import { anIdentity, anImage, type Rig, startRig } from '../testing/rig.ts';

const AT = '2026-01-01T00:00:00.000';

let rig: Rig;
let image: Buffer;
beforeAll(async () => {
  rig = await startRig({ reconcileAfterMs: 200, republishAfterMs: 500 });
  image = await anImage();
});
afterAll(() => rig.close());

const submitted = (evidenceId: string | undefined) =>
  rig.published.filter(({ type, data }) => type === 'evidence.submitted' && data.evidenceId === evidenceId);
const capture = async (claims: InternalClaims, picture = image) => {
  const answer = await upload(rig, claims, [part('DocumentFront', picture)]);
  return (answer.body.media as { mediaId: string }[])[0]!.mediaId;
};
const evaluated = (identityId: string, evidenceId: string, status: string, evidenceRevision = 1) =>
  rig.publish('evidence.evaluated', identityId, {
    caseRevision: 1,
    policy: { name: 'default', version: '1' },
    identity: { levelOfAssurance: 'LOA0', evaluationDateTime: '2026-01-01T00:00:00.000', upgradePaths: {} },
    evidences: [
      {
        evidenceId,
        evidenceRevision,
        type: 'PASSPORT',
        status,
        isAdjudicable: false,
        evaluationDateTime: '2026-01-01T00:00:00.000',
        positiveIndicators: [],
        warningIndicators: [],
        unverifiedIndicators: [],
        changed: true,
        proof: {
          progress: 'DONE',
          verificationDetails: [],
          evaluationDetails: { evaluationDateTime: '2026-01-01T00:00:00.000', evidences: [] },
          crops: [],
        },
      },
    ],
  });
const record = (evidenceId: string | undefined) =>
  rig.mongodb.connection
    .collection<{ _id: string; reissueAt?: Date; deletedAt?: Date; said?: unknown[] }>('evidences')
    .findOne({ _id: evidenceId ?? '' });

describe('crops', () => {
  test('are stored once, listed with the captures, and need an evidence that is not deleted', async () => {
    const { claims } = anIdentity();
    const granted = claims();
    const original = await capture(granted);
    const cropId = newId();
    const put = () =>
      rig.call('PUT', `/evidences/${granted.evidenceId}/crops/${cropId}?original=${original}`, granted, image, {
        'content-type': 'image/jpeg',
      });
    const [first, second] = [await put(), await put()];
    expect(first).toMatchObject({ status: 200, body: { mediaId: cropId, role: 'CROP', originalMediaId: original } });
    expect(second.body).toEqual(first.body);
    const list = await rig.call('GET', `/evidences/${granted.evidenceId}/media`, granted);
    expect(list.body).toMatchObject([{ mediaId: original }, { mediaId: cropId }]);
    const elsewhere = await rig.call(
      'PUT',
      `/evidences/${newId()}/crops/${newId()}?original=${original}`,
      granted,
      image,
    );
    expect(elsewhere.status).toBe(404);
  });

  test('of another picture or evidence than the stored one are refused, and the stored one stays', async () => {
    const { claims } = anIdentity();
    const [one, other] = [claims(), claims()];
    const [original, another] = [await capture(one), await capture(other)];
    const cropId = newId();
    const put = (granted: typeof one, id: string, originalId: string) =>
      rig.call('PUT', `/evidences/${granted.evidenceId}/crops/${id}?original=${originalId}`, granted, image);
    expect((await put(one, cropId, original)).status).toBe(200);
    expect((await put(one, newId(), another)).status).toBe(404);
    expect((await put(one, cropId, another)).status).toBe(404);
    expect((await put(other, cropId, another)).status).toBe(409);
    expect((await put({ ...one, evidenceId: newId() }, cropId, original)).status).toBe(404);
    expect((await rig.call('GET', `/media/${cropId}`, one)).status).toBe(200);
    const list = await rig.call('GET', `/evidences/${one.evidenceId}/media`, one);
    expect(list.body).toMatchObject([{ mediaId: original }, { mediaId: cropId }]);
  });

  test('stored by several calls at once are one', async () => {
    const { claims } = anIdentity();
    const granted = claims();
    const original = await capture(granted);
    const path = `/evidences/${granted.evidenceId}/crops/${newId()}?original=${original}`;
    const replies = await Promise.all(Array.from({ length: 4 }, () => rig.call('PUT', path, granted, image)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('evidence.deleted', () => {
  test('removes media and crops of this evidence only, also when the event comes twice', async () => {
    const { claims, identityId } = anIdentity();
    const [deleted, stays] = [claims(), claims()];
    const [deletedMedia, staysMedia] = [await capture(deleted), await capture(stays)];
    const data = {
      evidenceId: deleted.evidenceId,
      type: 'PASSPORT',
      operation: 'ID_DOCUMENT_CAPTURE',
      reason: 'DELETED',
      deletedAt: '2026-01-01T00:00:00.000',
    };
    await rig.publish('evidence.deleted', identityId, data);
    await rig.publish('evidence.deleted', identityId, data);
    await waitFor(
      'the deletion',
      async () => (await rig.call('GET', `/media/${deletedMedia}`, deleted)).status === 404,
    );
    expect((await rig.call('GET', `/evidences/${deleted.evidenceId}/media`, deleted)).status).toBe(404);
    expect((await rig.call('GET', `/media/${staysMedia}`, stays)).status).toBe(200);
    const late = await rig.call(
      'PUT',
      `/evidences/${deleted.evidenceId}/crops/${newId()}?original=${deletedMedia}`,
      deleted,
      image,
    );
    expect(late.status).toBe(404);
  });
});

test('the submission of a deleted evidence is published again: a proof names it', async () => {
  const { claims, identityId } = anIdentity();
  const granted = claims();
  await capture(granted);
  const evidenceId = String(granted.evidenceId);
  const evidences = rig.mongodb.connection.collection<{ _id: string }>('evidences');
  const submissions = () => rig.published.filter(({ data }) => data.evidenceId === evidenceId).length;
  await waitFor('its publication', async () => (await record(evidenceId))?.said !== undefined);
  await rig.publish('evidence.deleted', identityId, {
    evidenceId,
    type: 'PASSPORT',
    operation: 'ID_DOCUMENT_CAPTURE',
    reason: 'DELETED',
    deletedAt: '2026-01-01T00:00:00.000',
  });
  await waitFor('the deletion', async () => (await record(evidenceId))?.deletedAt !== undefined);
  const before = submissions();
  await evidences.updateOne({ _id: evidenceId }, { $set: { saidDueAt: new Date(0), 'said.$[].dueAt': new Date(0) } });
  await waitFor('its publication again', async () => submissions() > before);
});

describe('identity.closed', () => {
  test('removes everything, and no late message brings it back', async () => {
    const { claims, identityId } = anIdentity();
    const granted = claims();
    await capture(granted);
    await rig.publish('identity.closed', identityId, {
      reason: 'DELETED',
      closedAt: '2026-01-01T00:00:00.000',
      forgetAt: '2099-01-01T00:00:00.000',
    });
    await waitFor('the purge', async () => (await record(granted.evidenceId)) === null);
    const late = await upload(rig, claims(), [part('DocumentFront', image)]);
    expect(late).toMatchObject({ status: 410, body: { errors: [{ code: '4100' }] } });
    for (const name of ['evidences', 'media'])
      expect(await rig.mongodb.connection.collection(name).countDocuments({ identityId })).toBe(0);
  });
});

describe('evidence without an outcome', () => {
  test('is reissued with growing gaps, and ended when no evaluation comes', async () => {
    const { claims, identityId } = anIdentity();
    const granted = claims();
    rig.granted.set(identityId, granted);
    await capture(granted);
    // Republished events have the same id, so they are not counted.
    const issued = () => [...new Map(submitted(granted.evidenceId).map((event) => [event.id, event])).values()];
    // Makes the evidence due now instead of waiting.
    const due = async (events: number) => {
      await waitFor(`${events} events`, async () => {
        await rig.mongodb.connection.collection<{ _id: string }>('evidences').updateOne(
          // An event that is already stored may not have arrived here yet.
          { _id: granted.evidenceId ?? '', reissueAt: { $exists: true }, reissues: { $lt: events - 1 } },
          { $set: { reissueAt: new Date(0) } },
        );
        return issued().length >= events;
      });
    };
    await due(7);
    expect(issued().map(({ data }) => [data.reissued, data.endWith])).toEqual([
      [undefined, undefined],
      ...Array.from({ length: 5 }, () => [true, undefined]),
      [true, 'PROCESSING_FAILED'],
    ]);
  });

  test.each(['VERIFIED', 'ADJUDICATION'])('is not reissued once it is %s', async (status) => {
    const { claims, identityId } = anIdentity();
    const granted = claims();
    rig.granted.set(identityId, granted);
    await capture(granted);
    await evaluated(identityId, granted.evidenceId!, status);
    await waitFor('the word', async () => (await record(granted.evidenceId))?.reissueAt === undefined);
    // Another, younger evidence has been reissued, so the round has also reached this one.
    const younger = claims();
    await capture(younger);
    await waitFor('the round', () => submitted(younger.evidenceId).length > 1);
    expect((await record(granted.evidenceId))?.reissueAt).toBeUndefined();
  });

  test('is reissued with the outcome that a sandbox armed for it, though the grant does not contain it', async () => {
    const { claims, identityId } = anIdentity();
    const granted = claims();
    const play = { outcome: 'document-expired' };
    rig.granted.set(identityId, { ...granted, settings: { ...granted.settings!, sandbox: {} } });
    await capture({ ...granted, settings: { ...granted.settings!, sandbox: { play } } });
    await waitFor('the second event', () => submitted(granted.evidenceId).some(({ data }) => data.reissued));
    for (const { data } of submitted(granted.evidenceId)) expect(data.settings).toMatchObject({ sandbox: { play } });
  });

  test('is reissued however many earlier ones cannot be', async () => {
    const evidences = rig.mongodb.connection.collection<{ _id: string }>('evidences');
    const unreadable = Array.from({ length: 50 }, () => ({ _id: newId(), reissueAt: new Date(0) }));
    await evidences.insertMany(unreadable);
    const { claims, identityId } = anIdentity();
    const granted = claims();
    rig.granted.set(identityId, granted);
    await capture(granted);
    await waitFor('the second event', () => submitted(granted.evidenceId).length > 1);
    await evidences.deleteMany({ _id: { $in: unreadable.map(({ _id }) => _id) } });
  });

  test('of an identity whose closing was never received is purged', async () => {
    const { claims, identityId } = anIdentity();
    const granted = claims();
    rig.closed.add(identityId);
    await capture(granted);
    await waitFor('the purge', async () => (await record(granted.evidenceId)) === null);
    // As long as the others: its messages may be replayed from the dead letters until then.
    const tombstones = rig.mongodb.connection.collection<{ _id: string; forgetAt: Date }>('tombstones');
    const { forgetAt } = (await tombstones.findOne({ _id: identityId }))!;
    expect(forgetAt.getTime() - Date.now()).toBeGreaterThan(39.9 * 24 * 3600_000);
  });
});

describe('what a crash left behind', () => {
  test('is removed when its time is over, unless an evidence names it', async () => {
    const { claims, identityId } = anIdentity();
    const retained = claims();
    const retainedMedia = await capture(retained);
    const orphan = { _id: newId(), blobId: newId() };
    const media = rig.mongodb.connection.collection<{ _id: string; orphanAt?: Date }>('media');
    await rig.mongodb.connection
      .collection('blobs.chunks')
      .insertOne({ files_id: orphan.blobId, n: 0, data: Buffer.alloc(9) } as never);
    await media.insertOne({
      ...orphan,
      identityId,
      evidenceId: newId(),
      state: 'ARRIVING',
      role: 'FRONT',
      orphanAt: new Date(0),
    } as never);
    await media.updateOne({ _id: retainedMedia }, { $set: { orphanAt: new Date(0) } });
    await waitFor('the sweep', async () => (await media.findOne({ _id: orphan._id })) === null);
    expect(
      await rig.mongodb.connection.collection('blobs.chunks').countDocuments({ files_id: orphan.blobId } as never),
    ).toBe(0);
    await waitFor('the claim', async () => (await media.findOne({ _id: retainedMedia }))?.orphanAt === undefined);
    expect((await rig.call('GET', `/media/${retainedMedia}`, retained)).status).toBe(200);
  });
});

test.each([
  ['identity.closed', { reason: 'DELETED', closedAt: AT, forgetAt: '2099-01-01T00:00:00.000' }],
  ['evidence.deleted', { type: 'PASSPORT', operation: 'ID_DOCUMENT_LIVE_CAPTURE', reason: 'DELETED', deletedAt: AT }],
])('an upload that stores more after %s, and whose process crashes then, leaves nothing', async (type, data) => {
  const [identityId, evidenceId] = [newId(), newId()];
  const media = rig.mongodb.connection.collection<{ _id: string }>('media');
  const chunks = rig.mongodb.connection.collection('blobs.chunks');
  const arriving = { _id: newId(), blobId: newId() };
  const store = (n: number) => chunks.insertOne({ files_id: arriving.blobId, n, data: Buffer.alloc(9) } as never);
  const stored = () => chunks.countDocuments({ files_id: arriving.blobId } as never);
  await store(0);
  const orphanAt = new Date(Date.now() + 3_600_000);
  await media.insertOne({ ...arriving, identityId, evidenceId, state: 'ARRIVING', role: 'FRAME', orphanAt } as never);
  await rig.publish(type, identityId, type === 'evidence.deleted' ? { ...data, evidenceId } : data);
  await waitFor('the removal', async () => (await stored()) === 0);
  await store(1);
  await media.updateOne({ _id: arriving._id }, { $set: { orphanAt: new Date(0) } });
  await waitFor(
    'the sweep',
    async () => (await stored()) === 0 && (await media.findOne({ _id: arriving._id })) === null,
  );
});

test('an evidence that was recorded while its identity closed is removed, with its picture', async () => {
  const { claims, identityId } = anIdentity();
  const granted = claims();
  const medium = await capture(granted);
  const media = rig.mongodb.connection.collection<{ _id: string }>('media');
  await createTombstones(rig.mongodb.connection).put(identityId, new Date(Date.now() + 3_600_000));
  await media.updateOne({ _id: medium }, { $set: { orphanAt: new Date(0) } });
  await waitFor('the picture', async () => (await media.findOne({ _id: medium })) === null);
  await waitFor('the record', async () => (await record(granted.evidenceId)) === null);
});

test('every frequent query is answered by an index', async () => {
  // The first blob creates the index of the chunks.
  await capture(anIdentity().claims(), Buffer.concat([image, Buffer.alloc(1024 * 1024)]));
  const now = new Date();
  const collection = (name: string) => rig.mongodb.connection.collection(name);
  const plans = await Promise.all([
    collection('evidences')
      .find({ reissueAt: { $lte: now } })
      .sort({ reissueAt: 1 })
      .explain('queryPlanner'),
    collection('evidences')
      .find({ 'session.expiresAt': { $lte: now } })
      .explain('queryPlanner'),
    collection('evidences').find({ 'session.sessionId': 's', identityId: 'i' }).explain('queryPlanner'),
    collection('evidences').find({ identityId: 'i' }).explain('queryPlanner'),
    collection('media').find({ identityId: 'i', evidenceId: 'e', state: 'STORED' }).explain('queryPlanner'),
    collection('media')
      .find({ orphanAt: { $lte: now } })
      .sort({ orphanAt: 1 })
      .explain('queryPlanner'),
    collection('blobs.chunks')
      .find({ files_id: { $in: ['b'] } } as never)
      .explain('queryPlanner'),
  ]);
  expect(plans.filter((plan) => JSON.stringify(plan).includes('COLLSCAN'))).toEqual([]);
});
