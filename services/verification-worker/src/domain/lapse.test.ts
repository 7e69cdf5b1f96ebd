import { type EvaluatedIdentity, formatDateTime } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { AT, documentText } from '../testing/case-builders.ts';
import type { Case } from './case.ts';
import type { EvidenceData } from './evidence-data.ts';
import { datedCase } from './lapse.ts';

const LAST_DAY = '2026-06-30';
const OVER = new Date('2026-07-01T12:00:00Z');
const DAY_MS = 24 * 3_600_000;
const before = (days: number): Date => new Date(OVER.getTime() - days * DAY_MS);

const open = (): EvidenceData => ({ idDocumentData: { expiryDate: LAST_DAY } });
const published: EvaluatedIdentity = { levelOfAssurance: 'LOA1', evaluationDateTime: AT, upgradePaths: {} };
const licence: Case = {
  _id: 'identity',
  tenantId: 'tenant',
  revision: 1,
  evidences: [{ ...documentText('licence'), sealed: { data: 'sealed' }, crops: [], media: [] }],
  consents: { known: [], revision: 0, deleted: [] },
  comparisons: [],
  agreements: [],
  deleted: [],
};

/** The case as an evaluation leaves it that reads the data of its documents. */
const evaluatedAt = (at: Date): Case => {
  const { current, lapsesAt } = datedCase(licence, open, at);
  return { ...current, lastPublished: { ...published, ...(lapsesAt && { lapsesAt }) } };
};

describe('an evaluation that cannot read when a document expires', () => {
  test.each<[string, Date, Date]>([
    ['before the day is known', before(35), before(6)],
    ['while the day is known', before(20), before(10)],
    ['after the document has expired', before(20), OVER],
    ['long after it', before(20), before(-3)],
  ])('%s puts nothing off', (_case, known, at) => {
    const former = evaluatedAt(known);
    const { current, lapsesAt } = datedCase(former, undefined, at);
    expect(current.dueAt).toEqual(former.dueAt);
    expect(lapsesAt).toBe(former.lastPublished?.lapsesAt);
  });

  test('comes again earlier where a consent ends', () => {
    const former = evaluatedAt(before(20));
    const ending = { consentId: 'giv', approved: true, type: 'GIV', validityPeriod: { to: '2026-06-24' } } as const;
    const consents = { known: [ending], revision: 1, deleted: [] };
    const ends = new Date('2026-06-25T00:00:00Z');
    expect(datedCase({ ...former, consents }, undefined, before(10))).toMatchObject({
      current: { dueAt: ends },
      lapsesAt: formatDateTime(ends),
    });
  });

  test('leaves no day where there is no document any more', () => {
    const former = { ...evaluatedAt(before(20)), evidences: [] };
    const { current, lapsesAt } = datedCase(former, undefined, OVER);
    expect(current.dueAt!.getTime()).toBeGreaterThan(OVER.getTime());
    expect(lapsesAt).toBeUndefined();
  });
});
