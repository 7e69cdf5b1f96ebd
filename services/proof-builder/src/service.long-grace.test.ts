import { type Envelope, identityClosed } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TENANT } from './testing/event-builder.ts';
import { type Flow, longestFlow } from './testing/longest-flow.ts';
import { startProofBuilder } from './testing/rig.ts';

const DAY = 24 * 3600;

/** A flow of a tenant whose clients may retrieve a proof again for so long. */
const flowOf = (name: string, graceSeconds: number): Flow => {
  const flow = longestFlow(name);
  return { ...flow, request: { ...flow.request, graceSeconds } };
};
const long = flowOf('long', 30 * DAY);
const others = ['first', 'second', 'third', 'fourth'].map((name) => flowOf(name, 60));

let service: Awaited<ReturnType<typeof startProofBuilder>>;
beforeAll(async () => {
  service = await startProofBuilder([long, ...others]);
});
afterAll(() => service.close());

const proofsOf = ({ identityId }: Flow): Promise<number> =>
  service.mongodb.connection.collection('proofs').countDocuments({ identityId });
const make = async (flow: Flow): Promise<void> => {
  await service.publish(flow.events);
  await service.proof(flow);
};

/** So many days later, after a round that destroyed another archive, whose time was over. */
const afterDays = async (days: number, other: Flow): Promise<void> => {
  await make(other);
  service.later(days * DAY);
  await waitFor('a round', async () => (await proofsOf(other)) === 0);
};

test('an archive may be retrieved again for a grace period of a month, and ends a month after the closing', async () => {
  await make(long);
  const bytes = await service.archive(long);
  const [first, second, third, fourth] = others as [Flow, Flow, Flow, Flow];
  await afterDays(20, first);
  expect(await service.archive(long)).toEqual(bytes);
  // The grace period has begun anew.
  await afterDays(25, second);
  expect(await service.archive(long)).toEqual(bytes);

  const closedAt = new Date(Date.now() + 45 * DAY * 1000).toISOString();
  const closing: Envelope<unknown> = {
    id: 'closing-of-long-grace',
    type: identityClosed.type,
    at: closedAt,
    tenantId: TENANT,
    identityId: long.identityId,
    data: {
      reason: 'PROOF_RETRIEVED',
      closedAt: closedAt.slice(0, 23),
      forgetAt: '2099-01-01T00:00:00.000',
      proofId: long.request.proofId,
    },
  };
  await service.publish([closing]);
  const isOpen = { identityId: long.identityId, isClosed: false };
  await waitFor(
    'the closing',
    async () => (await service.mongodb.connection.collection('proofs').countDocuments(isOpen)) === 0,
  );
  await afterDays(28, third);
  // Of a closed identity no retrieval puts the end off.
  expect(await service.archive(long)).toEqual(bytes);
  await afterDays(8, fourth);
  await waitFor('the end of grace', async () => (await proofsOf(long)) === 0);
});
