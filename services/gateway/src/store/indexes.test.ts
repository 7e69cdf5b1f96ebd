import { trusted } from '@assay/mongo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';
import { dueAt } from './due-identities.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const now = new Date();
const queries: [string, () => { explain: (verbosity: 'queryPlanner') => PromiseLike<unknown> }][] = [
  ['an API key', () => rig.stores.apiKeys.model.findOne({ hash: 'h' })],
  ['the keys of a tenant', () => rig.stores.apiKeys.model.find({ tenantId: 't' }).sort({ _id: 1 })],
  ['an identity', () => rig.stores.identities.model.findOne({ _id: 'i', tenantId: 't' })],
  [
    'the identity of a session',
    () =>
      rig.stores.identities.model.findOne({
        $or: [{ 'evidences.sessionId': 's' }, { endedSessionIds: 's' }],
        tenantId: 't',
      }),
  ],
  ['what time asks for', () => rig.stores.identities.model.find({ $or: dueAt(now) })],
  ['closings to repeat', () => rig.stores.identities.model.find({ repeatAt: trusted({ $lte: now }) })],
  ['events to publish', () => rig.stores.identities.model.find({ 'outbox.0.at': trusted({ $exists: true }) })],
  ['a line that is recorded once', () => rig.stores.audit.model.find({ once: 'closed i', chain: 't' })],
  [
    'the newest acts of a kind',
    () => rig.stores.audit.query('t', { order: 'desc', act: 'key.create', after: 9 }).limit(51),
  ],
  ['the lines about an identity', () => rig.stores.audit.query('t', { order: 'desc', identityId: 'i' }).limit(51)],
  ['the heads of the audit chains', () => rig.stores.audit.model.find().sort(rig.stores.audit.HEADS[0].$sort)],
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
