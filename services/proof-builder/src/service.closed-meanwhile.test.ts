import { type Envelope, identityClosed } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TENANT } from './testing/event-builder.ts';
import { type Flow, longestFlow } from './testing/longest-flow.ts';
import { startProofBuilder } from './testing/rig.ts';

/* An identity that is deleted while its proof is built: nothing of the archive stays. */

const [building, interrupted] = [longestFlow('building'), longestFlow('interrupted')];

let service: Awaited<ReturnType<typeof startProofBuilder>>;
beforeAll(async () => {
  // A round comes behind the end of a build.
  service = await startProofBuilder([building, interrupted], {
    beforeRetaining: closeMeanwhile,
    sweepEveryMs: 3000,
  });
});
afterAll(() => service.close());

interface Proof {
  _id: string;
  archiveIds: string[];
}
const proofs = () => service.mongodb.connection.collection<Proof>('proofs');
const files = () => service.mongodb.connection.collection<{ _id: string }>('archives.files');
const keys = () => service.keyMongodb.connection.collection<{ _id: string }>('archiveKeys');

const closing = ({ identityId }: Pick<Flow, 'identityId'>): Envelope<unknown> => ({
  id: `closing-of-${identityId}`,
  type: identityClosed.type,
  at: new Date().toISOString(),
  tenantId: TENANT,
  identityId,
  data: {
    reason: 'DELETED',
    closedAt: new Date().toISOString().slice(0, 23),
    forgetAt: '2099-01-01T00:00:00.000',
  },
});
const isCondemned = async ({ identityId }: Pick<Flow, 'identityId'>): Promise<boolean> =>
  (await proofs().countDocuments({ identityId, expiresAt: new Date(0) } as never)) === 1;

let archiveIds: string[] = [];
const closeMeanwhile = async (identityId: string): Promise<void> => {
  const proof = await proofs().findOne({ identityId } as never);
  archiveIds = proof!.archiveIds;
  await service.publish([closing({ identityId })]);
  await waitFor('the end of its proof', () => isCondemned({ identityId }));
};

const left = async (ids: readonly string[]): Promise<number[]> => {
  const among = { _id: { $in: [...ids] } };
  return [await keys().countDocuments(among), await files().countDocuments(among)];
};

test('an archive that is finished behind the closing is not given, and its key is destroyed', async () => {
  await service.publish(building.events);
  await waitFor('the building', async () => {
    const { status } = await service.call(building, '/proofs', building.request);
    expect([410, 503]).toContain(status);
    return archiveIds.length > 0;
  });
  expect((await service.call(building, '/proofs', building.request)).status).toBe(410);
  const { identityId } = building;
  await waitFor('its removal', async () => (await proofs().countDocuments({ identityId } as never)) === 0);
  expect(await left(archiveIds)).toEqual([0, 0]);
});

test('what a builder stored behind the closing, before it crashed, is removed with its key', async () => {
  const { identityId, request } = interrupted;
  const archiveId = `archive-of-${identityId}`;
  await proofs().insertOne({
    _id: request.proofId,
    tenantId: TENANT,
    identityId,
    endedAt: new Date(),
    graceSeconds: 60,
    expiresAt: new Date('2099-01-01'),
    isClosed: false,
    leaseUntil: new Date(Date.now() + 30_000),
    archiveIds: [archiveId],
  } as never);
  await service.publish([closing(interrupted)]);
  await waitFor('the end of its proof', () => isCondemned(interrupted));
  await keys().insertOne({ _id: archiveId, wrapped: 'w' } as never);
  await files().insertOne({ _id: archiveId, length: 0, chunkSize: 1 } as never);
  service.later(60);
  await waitFor('its removal', async () => (await proofs().countDocuments({ identityId } as never)) === 0);
  expect(await left([archiveId])).toEqual([0, 0]);
});
