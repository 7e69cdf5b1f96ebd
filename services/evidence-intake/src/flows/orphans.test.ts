import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';

/** A blob that the object store does not delete, as one that is locked there. */
const LOCKED = newId();

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    openObjects: (former) => ({
      ...former,
      remove: async (ids) => {
        if (ids.includes(LOCKED)) throw Object.assign(new Error('1 not deleted: AccessDenied'), { status: 503 });
        await former.remove(ids);
      },
      close: async () => undefined,
    }),
  });
});
afterAll(() => rig.close());

test('a medium that the object store does not delete delays the removal of no other one', async () => {
  const media = rig.mongodb.connection.collection<{ _id: string }>('media');
  const left = (blobId: string, orphanAt: Date) => ({
    ...{ _id: newId(), blobId, identityId: newId(), evidenceId: newId() },
    ...{ state: 'ARRIVING', role: 'FRONT', orphanAt },
  });
  const [locked, other] = [left(LOCKED, new Date(0)), left(newId(), new Date(1))];
  await media.insertMany([locked, other]);
  await waitFor('the removal', async () => (await media.findOne({ _id: other._id })) === null);
  expect(await media.findOne({ _id: locked._id })).not.toBeNull();
});
