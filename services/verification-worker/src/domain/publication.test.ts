import { todayAt } from '@assay/contracts';
import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import {
  agreement,
  caseOf,
  contact,
  documentImage,
  documentText,
  PARTLY,
  portrait,
  portraitReference,
} from '../testing/case-builders.ts';
import type { Case, CaseEvidence } from './case.ts';
import { evaluateCase } from './evaluate-case.ts';
import type { EvidenceFacts } from './facts.ts';
import { publicationOf } from './publication.ts';

const policy = shippedPolicies().named('default')!;
const NOW = '2026-05-01T10:00:05.000';

const aCase = (...evidences: EvidenceFacts[]): Case => ({
  _id: 'identity',
  tenantId: 'tenant',
  revision: 1,
  ...caseOf(evidences),
  evidences: evidences.map((facts): CaseEvidence => ({ ...facts, sealed: {}, crops: [], media: [] })),
  deleted: [],
});

const announceCase = (current: Case, at = NOW) =>
  publicationOf(current, evaluateCase({ facts: current, policy, today: todayAt(new Date('2026-05-01')) }), {
    policy,
    at,
  });

/** The case with other evidences, compared again. */
const withEvidences = (before: Case, evidences: CaseEvidence[]): Case => ({
  ...before,
  ...caseOf(evidences),
  evidences,
});

describe('the first evaluation', () => {
  test('of an identity without evidence publishes nothing', () => {
    const { hasChanges, entries, caseAfter } = announceCase(aCase());
    expect(hasChanges).toBe(false);
    expect(entries).toEqual([]);
    expect(caseAfter.lastPublished).toBeUndefined();
  });

  test('of a verified document publishes its status, score and the level', () => {
    const { entries, identity, hasChanges } = announceCase(aCase(documentImage('document')));
    expect(hasChanges).toBe(true);
    // Upgrade paths are the largest part of an evaluation, so its event contains them once.
    expect(Object.keys(identity.upgradePaths).length).toBeGreaterThan(0);
    expect(entries[0]!.proof.evaluationDetails.loaAndUpgradePath).not.toHaveProperty('upgradePaths');
    expect(entries).toEqual([
      expect.objectContaining({
        evidenceId: 'document',
        evidenceRevision: 1,
        status: 'VERIFIED',
        score: 'LEVEL2',
        changed: true,
      }),
    ]);
    expect(identity).toMatchObject({ levelOfAssurance: 'LOA1', nameReferenceEvidenceId: 'document' });
  });

  test('of a document that waits for its issuer is no change for the webhook', () => {
    const { entries } = announceCase(aCase(documentImage('document', { awaitingIssuer: true })));
    expect(entries).toMatchObject([{ status: 'PROCESSING', changed: false, proof: { progress: 'PROCESSING' } }]);
  });
});

describe('text that waits for its issuer', () => {
  const waiting = (...others: EvidenceFacts[]) => aCase(documentText('text', { awaitingIssuer: true }), ...others);

  test('is not published: its readers know it from its submission', () => {
    const { entries, hasChanges, caseAfter } = announceCase(waiting());
    expect({ entries, hasChanges }).toEqual({ entries: [], hasChanges: false });
    expect(caseAfter.evidences[0]!.lastPublished).toBeUndefined();
    expect(caseAfter.lastPublished).toBeUndefined();
  });

  test('does not delay other evidence', () => {
    const { entries } = announceCase(waiting(documentImage('picture')));
    expect(entries.map(({ evidenceId }) => evidenceId)).toEqual(['picture']);
  });

  test.each([
    ['its issuer answers', { awaitingIssuer: false }],
    ['it is given up', { endedBy: 'PROCESSING_FAILED' }],
  ] as const)('is published when %s', (_, end) => {
    const { caseAfter } = announceCase(waiting());
    const [text] = caseAfter.evidences;
    const { entries } = announceCase(withEvidences(caseAfter, [{ ...text!, ...end }]));
    expect(entries).toMatchObject([{ evidenceId: 'text', evidenceRevision: 1, changed: true }]);
  });
});

describe('the evidence that names were compared with', () => {
  const others = [contact('mail', 'EMAIL'), portraitReference('face'), documentImage('other')];
  const { entries } = announceCase({
    ...aCase(documentImage('document'), ...others),
    agreements: [agreement('document', 'other', 'AGREE')],
  });
  const named = (id: string) => entries.find(({ evidenceId }) => evidenceId === id)!.proof.attributesReferenceId;

  test('is named by a document that states a name', () => {
    expect(named('other')).toBe('document');
  });

  test.each(['mail', 'face', 'document'])('is not named by %s, with which nothing was compared', (id) => {
    expect(named(id)).toBeUndefined();
  });
});

describe('a further evaluation', () => {
  const { caseAfter: before } = announceCase(aCase(documentImage('document')));

  test('with the same result publishes nothing, however late', () => {
    const { hasChanges, entries, caseAfter } = announceCase(before, '2026-05-01T11:00:00.000');
    expect(hasChanges).toBe(false);
    expect(entries).toEqual([]);
    expect(caseAfter.lastPublished).toEqual(before.lastPublished);
  });

  test('publishes only the evidence that changed, with its next revision', () => {
    const [document] = before.evidences;
    const weaker = { ...document!, ...documentImage('document', { raised: PARTLY }) };
    const { entries } = announceCase(withEvidences(before, [weaker]));
    expect(entries).toMatchObject([{ evidenceId: 'document', evidenceRevision: 2, changed: true, score: 'LEVEL1' }]);
  });

  test('with a portrait raises the level, and says so in the element that raised it', () => {
    const selfie: CaseEvidence = { ...portrait('selfie'), sealed: {}, crops: [], media: [] };
    const { entries, identity } = announceCase(withEvidences(before, [...before.evidences, selfie]));
    expect(identity.levelOfAssurance).toBe('LOA2');
    const lastPublished = entries.find(({ evidenceId }) => evidenceId === 'selfie');
    expect(lastPublished).toMatchObject({
      status: 'VERIFIED',
      proof: { parent: 'document', evaluationDetails: { updateOnIdentitySuccess: true } },
    });
    expect(lastPublished?.proof).not.toHaveProperty('attributesReferenceId');
  });

  test('after the evidence was deleted publishes the identity alone', () => {
    const { entries, identity, hasChanges } = announceCase(withEvidences(before, []));
    expect(entries).toEqual([]);
    expect(hasChanges).toBe(true);
    expect(identity.levelOfAssurance).toBe('LOA0');
    expect(identity).not.toHaveProperty('nameReferenceEvidenceId');
  });
});

describe('sealed data', () => {
  const sealed = { ifVerified: 'confirmed', otherwise: 'unconfirmed' };
  const shown = (facts: EvidenceFacts) => {
    const current = aCase(facts);
    return announceCase(withEvidences(current, [{ ...current.evidences[0]!, sealed }])).entries[0]?.sealedData;
  };

  test('is the confirmed one only while the evidence is VERIFIED', () => {
    expect(shown(documentImage('document'))).toBe('confirmed');
    expect(shown(documentImage('document', { raised: ['MODEL_RECOGNIZED_FAILED'] }))).toBe('unconfirmed');
    expect(shown(documentImage('document', { awaitingIssuer: true }))).toBe('unconfirmed');
  });
});

test.each([
  ['an evidence that ended by a fault', { endedBy: 'PROCESSING_FAILED' as const }, 'ERROR'],
  ['an evidence that timed out', { endedBy: 'SESSION_TIMEOUT' as const }, 'DONE'],
  ['a document that passed', {}, 'DONE'],
])('the proof shows the progress of %s', (_, more, progress) => {
  expect(announceCase(aCase(documentImage('document', more))).entries[0]?.proof.progress).toBe(progress);
});
