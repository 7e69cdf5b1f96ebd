import { ApiError, createApp, signToken } from '@assay/http';
import { shippedPolicies } from '@assay/policy';
import { quietLog, testKeys } from '@assay/testing';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { CaseEvidence } from '../domain/case.ts';
import type { CaseChanger } from '../flows/change-case.ts';
import type { CaseDocument } from '../store/cases.ts';
import { caseOf, documentImage, portrait } from '../testing/case-builders.ts';
import { routes } from './routes.ts';

const facts = caseOf([documentImage('evidence-of-the-document'), portrait('evidence-of-the-portrait')]);
const stored = {
  _id: 'identity-0000000000000001',
  tenantId: 'tenant-0000000000000001',
  revision: 4,
  ...facts,
  evidences: facts.evidences.map(
    (one): CaseEvidence => ({ ...one, sealed: { data: 'sealed-secret' }, crops: [], media: [] }),
  ),
  deleted: [],
  inbox: [],
} satisfies CaseDocument;

const changed: unknown[] = [];
const changer: Pick<CaseChanger, 'change'> = {
  change: async ({ tenantId, identityId }, decide) => {
    const { after, publishAnyway } = decide(stored, undefined)!;
    changed.push({ tenantId, identityId, reevaluatedUnder: after.reevaluatedUnder, publishAnyway });
  },
};
const deps = {
  cases: { find: async (id: string) => (id === stored._id ? stored : undefined) },
  policies: shippedPolicies(),
  changer,
  now: () => new Date('2026-05-01T10:00:00Z'),
} as unknown as Parameters<typeof routes>[0];
const app = createApp({
  service: 'verification-worker',
  log: quietLog,
  routes: routes(deps, testKeys('verification-worker')),
});
const token = (tenantId = stored.tenantId) =>
  `Bearer ${signToken(testKeys('gateway'), 'verification-worker', { tenantId, identityId: stored._id, requestId: 'r' })}`;

describe('a case for operators', () => {
  test('is exported without anything sealed, and explained in words', async () => {
    const { status, body, text } = await request(app)
      .get(`/internal/v1/cases/${stored._id}`)
      .set('authorization', token());
    expect(status).toBe(200);
    expect(text).not.toContain('sealed-secret');
    expect(body.evaluation).toMatchObject({ levelOfAssurance: 'LOA2', profile: 'L2 + portrait L2' });
    expect(body.explanation).toContain(
      'LOA2: profile "L2 + portrait L2" is met by IDENTITY_CARD LEVEL2, portrait LEVEL2',
    );
    const again = await request(app)
      .post('/internal/v1/evaluations')
      .set('authorization', token())
      .send({ case: body.case, policy: 'default' });
    expect(again.body).toMatchObject({ changes: [], before: body.evaluation });
  });

  const [document] = facts.evidences;
  const evidence = (more: object) => ({ evidences: [{ ...document, ...more }] });
  test.each([
    ['null for what is known of consents', { consents: { known: [null], deleted: [] } }, 'consents.known[0]'],
    ['nothing of deleted consents', { consents: { known: [] } }, 'consents.deleted'],
    ['texts for evidences', { evidences: ['an evidence'] }, 'evidences[0]'],
    ['no comparisons', { comparisons: undefined }, 'comparisons'],
    ['comparisons of nothing', { comparisons: [{}] }, 'comparisons[0].portraitId'],
    ['more evidences than an identity has', { evidences: Array(101).fill(document) }, 'evidences'],
    ['an evidence without settings', evidence({ settings: 'none' }), 'evidences[0].settings'],
    ['an evidence of no kind', evidence({ kind: 'toString' }), 'evidences[0].kind'],
    ['an end by no error', evidence({ endedBy: 'NOTHING' }), 'evidences[0].endedBy'],
    ['a number for its consents', evidence({ consents: 1 }), 'evidences[0].consents'],
    ['null for a participant', evidence({ participants: [null] }), 'evidences[0].participants[0]'],
    [
      'a number for an indicator',
      evidence({ participants: [{ raisedIndicators: [1] }] }),
      'evidences[0].participants[0].raisedIndicators[0]',
    ],
  ])('of %s is no exported case, and the place is named', async (_what, wrong, field) => {
    const path = `/internal/v1/cases/${stored._id}`;
    const exported = (await request(app).get(path).set('authorization', token())).body.case;
    const given = { ...exported, facts: { ...exported.facts, ...wrong } };
    const { status, body } = await request(app)
      .post('/internal/v1/evaluations')
      .set('authorization', token())
      .send({ case: given, policy: 'default' });
    expect([status, body.errors[0].field]).toEqual([400, `case.facts.${field}`]);
  });

  test('refuses a policy with more or longer profiles than are evaluated at once', async () => {
    const path = `/internal/v1/cases/${stored._id}/evaluate`;
    const profile = (minima: number) => ({ level: 'LOA1', name: 'any', evidence: Array(minima).fill({ score: 1 }) });
    for (const profiles of [Array(101).fill(profile(1)), [profile(7)]]) {
      const policy = { ...shippedPolicies().named('default')!, profiles };
      const { status, body } = await request(app).post(path).set('authorization', token()).send({ policy });
      expect([status, body.errors[0].field]).toEqual([400, 'policy']);
    }
  });

  test('shows what another policy would change', async () => {
    const path = `/internal/v1/cases/${stored._id}/evaluate`;
    const strict = await request(app).post(path).set('authorization', token()).send({ policy: 'strict' });
    expect(strict.body.changes).toContain('levelOfAssurance: LOA2 -> LOA0');
    const file = {
      ...shippedPolicies().named('default')!,
      profiles: [{ level: 'LOA1', name: 'any', evidence: [{ score: 1 }] }],
    };
    const own = await request(app).post(path).set('authorization', token()).send({ policy: file });
    expect(own.body.changes).toEqual(['levelOfAssurance: LOA2 -> LOA1']);
    const broken = await request(app)
      .post(path)
      .set('authorization', token())
      .send({ policy: { ...file, profiles: [] } });
    expect([broken.status, broken.body.errors[0].field]).toEqual([400, 'policy']);
    expect((await request(app).post(path).set('authorization', token()).send({ policy: 'none' })).status).toBe(400);
  });

  test('is evaluated under another known policy on request', async () => {
    const path = `/internal/v1/cases/${stored._id}/re-evaluation`;
    const moved = await request(app).post(path).set('authorization', token()).send({ policy: 'strict' });
    expect(moved.body.policy.name).toBe('strict');
    expect(changed).toEqual([
      { tenantId: stored.tenantId, identityId: stored._id, reevaluatedUnder: moved.body.policy, publishAnyway: true },
    ]);
    for (const body of [{ policy: 'none' }, { policy: { name: 'strict' } }, {}]) {
      const refused = await request(app).post(path).set('authorization', token()).send(body);
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'policy']);
    }
    expect(changed).toHaveLength(1);
  });

  test("another tenant's is not there", async () => {
    const { status } = await request(app)
      .get(`/internal/v1/cases/${stored._id}`)
      .set('authorization', token('tenant-0000000000000002'));
    expect(status).toBe(new ApiError('NOT_FOUND').status);
  });
});
