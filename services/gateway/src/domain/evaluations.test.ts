import { errorObject, formatDateTime } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anEvidence, anIdentity, idOf, NOW, outcome, typesOf } from '../testing/builders.ts';
import { anEvaluation } from '../testing/evaluations.ts';
import { applied, type ChangeResult } from './change.ts';
import { recordConsents, withdrawConsent } from './consents.ts';
import { deleteEvidence } from './deletion.ts';
import { applyEvaluation, unknownEvidence } from './evaluations.ts';
import type { Identity } from './identity.ts';
import { reserve } from './reservations.ts';
import { winProof } from './retrieval.ts';
import { isStale } from './status.ts';
import { commit } from './submissions.ts';

type Event = Parameters<typeof applyEvaluation>[1];
const at = formatDateTime(NOW);
const evaluated = (caseRevision: number, ...evidences: Event['evidences']): Event => ({
  caseRevision,
  policy: { name: 'default', version: '1.0' },
  evidences,
  identity: { levelOfAssurance: `LOA${caseRevision % 3}` as 'LOA0', evaluationDateTime: at, upgradePaths: {} },
});
const passport = (evidenceRevision: number, more: Partial<Event['evidences'][number]> = {}) =>
  anEvaluation({ evidenceId: idOf(1), evidenceRevision, ...more });
const published = (change: ReturnType<typeof applyEvaluation>) =>
  (change?.events ?? []).map(
    ({ data }) => (data as { evidence?: { evidenceOperation: string } }).evidence?.evidenceOperation,
  );

const open = anIdentity({ evidences: [anEvidence(1, { type: 'ID_DOCUMENT' })], sealedBusinessId: 'b' });
const apply = (identity: Identity, event: Event): Identity => {
  const change = applyEvaluation(identity, event, NOW);
  return change ? applied(identity, change) : identity;
};

describe('a deletion or a change of consents', () => {
  const level = apply(open, evaluated(1, passport(1)));
  const consents = [{ consentId: 'c', approved: false, type: 'PORTRAIT' as const }];
  const changes: [string, ChangeResult, NonNullable<Event['basis']>][] = [
    [
      'a deletion',
      deleteEvidence(level, { evidenceId: idOf(1), operationId: 'o', now: NOW }),
      { deletions: 1, consentsRevision: 0 },
    ],
    [
      'a refused consent',
      recordConsents(level, { consents, operationId: 'o', lifetimeSeconds: 60, now: NOW }),
      { deletions: 0, consentsRevision: 1 },
    ],
  ];

  test.each(changes)(
    '%s: the former level is not in force until an evaluation considers the change',
    (_what, decision, basis) => {
      const { identity } = outcome(level, decision);
      const retrieval = { proofId: 'p', role: 'RELYING_SERVICE' as const, now: NOW };
      expect([isStale(level, NOW), isStale(identity, NOW)]).toEqual([false, true]);
      expect(winProof(identity, retrieval)).toEqual({ refused: 'PROOF_NOT_READY' });
      const older = apply(identity, { ...evaluated(2), basis: { deletions: 0, consentsRevision: 0 } });
      expect(isStale(older, NOW)).toBe(true);
      const silent = apply(older, evaluated(3));
      expect(isStale(silent, NOW)).toBe(true);
      for (const before of [older, silent]) expect(isStale(apply(before, { ...evaluated(3), basis }), NOW)).toBe(false);
      const newer = apply(older, { ...evaluated(3), basis });
      expect(winProof(newer, retrieval)).toHaveProperty('set.state', 'PROVING');
    },
  );

  test('a consent that is deleted while the first submission arrives: no proof over a level with it', () => {
    // Given a document that began to arrive under a consent, which is then deleted
    const submission = { type: 'ID_DOCUMENT', operation: 'ID_DOCUMENT_CAPTURE' } as const;
    const given = anIdentity({ consents: [{ consentId: 'c', approved: true, type: 'ID_DOCUMENT' }] });
    const asked = { ...submission, evidenceId: idOf(1), consent: 'DOCUMENT_CAPTURE' } as const;
    const reserved = outcome(given, reserve(given, asked, NOW)).identity;
    const without = outcome(reserved, withdrawConsent(reserved, 'c', 'o')).identity;
    const stored = { ...submission, evidenceId: idOf(1), submitDateTime: formatDateTime(NOW) };
    const submitted = outcome(without, commit(without, stored, 60, NOW)).identity;
    // When it is evaluated by a worker that has not heard of the deletion
    const level = apply(submitted, { ...evaluated(1, passport(1)), basis: { deletions: 0, consentsRevision: 0 } });
    const after = apply(level, { ...evaluated(2), basis: { deletions: 0, consentsRevision: 1 } });
    // Then the proof waits until it has
    const retrieval = { proofId: 'p', role: 'RELYING_SERVICE' as const, now: NOW };
    expect(level.evidences).toMatchObject([{ evidenceId: idOf(1), status: 'VERIFIED' }]);
    expect(winProof(level, retrieval)).toEqual({ refused: 'PROOF_NOT_READY' });
    expect(winProof(after, retrieval)).toHaveProperty('set.state', 'PROVING');
  });

  test('once a day is over that the level depends on, nothing is signed until the next evaluation', () => {
    const until = { ...level, evaluated: { ...level.evaluated!, lapsesAt: formatDateTime(NOW) } };
    const before = new Date(NOW.getTime() - 1);
    expect([isStale(until, before), isStale(until, NOW)]).toEqual([false, true]);
    const retrieval = { proofId: 'p', role: 'RELYING_SERVICE' as const, now: NOW };
    expect(winProof(until, { ...retrieval, now: before })).toHaveProperty('set.state', 'PROVING');
    expect(winProof(until, retrieval)).toEqual({ refused: 'PROOF_NOT_READY' });
    expect(winProof(apply(until, evaluated(3)), retrieval)).toHaveProperty('set.state', 'PROVING');
  });

  test('the proof waits for no evaluation if nothing was evaluated', () => {
    const deletion = deleteEvidence(open, { evidenceId: idOf(1), operationId: 'o', now: NOW });
    expect(isStale(outcome(open, deletion).identity, NOW)).toBe(false);
  });
});

describe('an evaluation', () => {
  test('gives the recognised type, the status and the level, and is published as CREATED', () => {
    const change = applyEvaluation(open, evaluated(1, passport(1)), NOW);
    expect(change?.set).toMatchObject({
      caseRevision: 1,
      evaluated: { levelOfAssurance: 'LOA1' },
      evidences: [{ type: 'PASSPORT', status: 'VERIFIED', score: 'LEVEL2' }],
    });
    expect(change?.events[0]?.data).toEqual({
      identityStatus: 'EXPECTING_INPUT',
      completedAt: expect.any(String),
      sealedBusinessId: 'b',
      evidence: { evidenceId: idOf(1), evidenceType: 'PASSPORT', evidenceOperation: 'CREATED' },
    });
  });

  test('a later one is published as UPDATED, and replaces the former completely', () => {
    const first = apply(open, evaluated(1, passport(1, { errors: [{ code: '1500' }], status: 'NOT_VERIFIED' })));
    const change = applyEvaluation(first, evaluated(2, passport(2)), NOW);
    expect(published(change)).toEqual(['UPDATED']);
    expect(change?.set.evidences?.[0]).not.toHaveProperty('errors');
  });

  test('names the policy in force from then on; an older one does not restore a former policy', () => {
    const under = (name: string, caseRevision: number): Event => ({
      ...evaluated(caseRevision, passport(caseRevision)),
      policy: { name, version: '1.0' },
    });
    const moved = apply(open, under('strict', 2));
    expect(moved.settings.policy).toEqual({ name: 'strict', version: '1.0' });
    expect(apply(moved, under('default', 1)).settings.policy.name).toBe('strict');
    expect(apply(moved, under('default', 3)).settings.policy.name).toBe('default');
  });

  test('one that changes nothing for the client, or only moves it to adjudication, is not published', () => {
    expect(published(applyEvaluation(open, evaluated(1, passport(1, { changed: false })), NOW))).toEqual([]);
    const change = applyEvaluation(open, evaluated(1, passport(1, { status: 'ADJUDICATION' })), NOW);
    expect([published(change), change?.set.evidences?.[0]?.status]).toEqual([[], 'ADJUDICATION']);
  });

  test('the notification names the status that the identity has then', () => {
    const busy = anIdentity({ evidences: [anEvidence(1), anEvidence(2)] });
    const change = applyEvaluation(busy, evaluated(1, passport(1)), NOW);
    expect(change?.events[0]?.data).toMatchObject({ identityStatus: 'PROCESSING' });
  });

  test('an evaluation faster than the request that reserved its evidence finds the reservation', () => {
    const early = anIdentity({
      reservations: [{ evidenceId: idOf(1), type: 'MEDICARE', operation: 'MEDICARE', at: NOW, leaseUntil: NOW }],
    });
    const after = apply(early, evaluated(1, passport(1, { type: 'MEDICARE' })));
    expect(after).toMatchObject({ reservations: [], evidences: [{ operation: 'MEDICARE', status: 'VERIFIED' }] });
  });

  test('of an unknown evidence is stored for later; of a deleted one has no effect', () => {
    expect(unknownEvidence(anIdentity(), evaluated(1, passport(1)))).toBe(true);
    const deletion = deleteEvidence(open, { evidenceId: idOf(1), operationId: idOf(9), now: NOW });
    if (!deletion || 'refused' in deletion) throw new Error('refused');
    expect(typesOf(deletion)).toEqual(['evidence.deleted', 'evaluation.published']);
    const deletedEvidence = applied(open, deletion);
    expect(unknownEvidence(deletedEvidence, evaluated(1, passport(1)))).toBe(false);
    expect(apply(deletedEvidence, evaluated(1, passport(1))).evidences).toEqual([]);
  });

  test('work that fails for good on a paused identity puts it into ERROR', () => {
    const paused = { ...open, state: 'PAUSED' as const };
    const proof = { ...passport(1).proof, progress: 'ERROR' as const };
    const change = applyEvaluation(paused, evaluated(1, passport(1, { status: 'NOT_VERIFIED', proof })), NOW);
    expect(change?.set.state).toBe('ERROR');
    expect(change && typesOf(change)).toEqual(['evaluation.published', 'identity.status-changed']);
  });

  test('work that failed for good before the pause does not fail the paused identity, however often the failure is repeated', () => {
    const proof = { ...passport(1).proof, progress: 'ERROR' as const };
    const gaveUp = evaluated(1, passport(1, { status: 'NOT_VERIFIED', proof }));
    const paused = { ...apply(open, gaveUp), state: 'PAUSED' as const };
    expect(applyEvaluation(paused, gaveUp, NOW)).toBeUndefined();
    expect(apply(paused, evaluated(2, passport(1, { status: 'NOT_VERIFIED', proof }))).state).toBe('PAUSED');
  });

  test('a consent that is withdrawn in the pause does not fail the identity for work that failed before', () => {
    const proof = { ...passport(1).proof, progress: 'ERROR' as const };
    const failed = { status: 'NOT_VERIFIED' as const, proof, errors: [errorObject('PROCESSING_FAILED')] };
    const paused = { ...apply(open, evaluated(1, passport(1, failed))), state: 'PAUSED' as const };
    expect(apply(paused, evaluated(2, passport(2, failed))).state).toBe('PAUSED');
  });

  test('one that was applied and published before changes nothing', () => {
    const evaluation = evaluated(1, passport(1));
    expect(applyEvaluation(apply(open, evaluation), evaluation, NOW)).toBeUndefined();
  });

  test('one that is repeated while its submission is repeated ends the reservation', () => {
    const evaluation = evaluated(1, passport(1));
    const known = apply(open, evaluation);
    const reservation = {
      evidenceId: idOf(1),
      type: 'PASSPORT',
      operation: 'ID_DOCUMENT',
      at: NOW,
      leaseUntil: NOW,
    } as const;
    const again = apply({ ...known, reservations: [reservation] }, evaluation);
    expect(again).toEqual(known);
  });

  test.each(['CLOSING', 'CLOSED'] as const)('of an identity that is %s has no effect', (state) =>
    expect(applyEvaluation({ ...open, state }, evaluated(1, passport(1)), NOW)).toBeUndefined(),
  );
});

test('in whatever order and however often evaluations arrive, the result is the same and each is published once', () => {
  const statuses = fc.array(fc.constantFrom('VERIFIED', 'NOT_VERIFIED', 'INVALID', 'ADJUDICATION'), {
    minLength: 1,
    maxLength: 6,
  });
  const scenario = statuses.chain((list) => {
    const events = list.map((status, index) =>
      evaluated(index + 1, passport(index + 1, { status: status as 'VERIFIED', changed: status !== 'ADJUDICATION' })),
    );
    const order = fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 });
    return fc.tuple(fc.constant(events), order);
  });
  fc.assert(
    fc.property(scenario, ([events, order]) => {
      const operations: (string | undefined)[] = [];
      const run = (list: Event[]) =>
        list.reduce((identity, event) => {
          const change = applyEvaluation(identity, event, NOW);
          operations.push(...published(change));
          return change ? applied(identity, change) : identity;
        }, open);
      const strip = ({ evidences, ...rest }: Identity) => ({
        ...rest,
        evidences: evidences.map(({ publishedRevisions, ...evidence }) => [evidence, [...publishedRevisions].sort()]),
      });
      const straight = strip(run(events));
      const inOrder = [...operations];
      operations.length = 0;
      expect(strip(run(order))).toEqual(straight);
      expect(operations).toEqual(inOrder);
      expect(operations.filter((operation) => operation === 'CREATED').length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 2000 },
  );
});
