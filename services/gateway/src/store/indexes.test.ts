import { trusted } from '@assay/mongo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const now = new Date();
const queries: [string, () => { explain: (verbosity: 'queryPlanner') => PromiseLike<unknown> }][] = [
  ['an API key', () => rig.gateway.apiKeys.model.findOne({ hash: 'h' })],
  ['the keys of a tenant', () => rig.gateway.apiKeys.model.find({ tenantId: 't' }).sort({ _id: 1 })],
  ['an identity', () => rig.gateway.identities.model.findOne({ _id: 'i', tenantId: 't' })],
  [
    'the identity of a session',
    () => rig.gateway.identities.model.findOne({ 'evidences.sessionId': 's', tenantId: 't' }),
  ],
  [
    'what is expired',
    () =>
      rig.gateway.identities.model
        .find({ state: trusted({ $in: ['OPEN', 'PAUSED', 'ERROR'] }), expiresAt: trusted({ $lte: now }) })
        .sort({ expiresAt: 1 }),
  ],
  [
    'what is being closed',
    () => rig.gateway.identities.model.find({ state: trusted({ $in: ['CLOSING', 'PROVING'] }) }),
  ],
  [
    'stale reservations',
    () => rig.gateway.identities.model.find({ 'reservations.0.leaseUntil': trusted({ $lte: now }) }),
  ],
  ['codes that ran out', () => rig.gateway.identities.model.find({ otpDueAt: trusted({ $lte: now }) })],
  ['tombstones', () => rig.gateway.identities.model.find({ forgetAt: trusted({ $lte: now }) })],
  ['events to publish', () => rig.gateway.identities.model.find({ 'outbox.0.at': trusted({ $exists: true }) })],
];

const stagesOf = (plan: unknown): string[] => {
  if (typeof plan !== 'object' || plan === null) return [];
  const { stage } = plan as { stage?: string };
  return [...(stage ? [stage] : []), ...Object.values(plan).flatMap(stagesOf)];
};

test.each(queries)('%s is found by an index', async (_what, query) => {
  const plan = (await query().explain('queryPlanner')) as { queryPlanner: { winningPlan: unknown } };
  const stages = stagesOf(plan.queryPlanner.winningPlan);
  expect(stages).not.toContain('COLLSCAN');
  expect(stages.length).toBeGreaterThan(0);
});
