import { adjudicationDecided, type DataOf, evidenceEvaluated } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { longestFlow } from '../testing/longest-flow.ts';
import { evaluationAt, gather, type HistoryRecord } from './history.ts';
import { gapsOf, shownIn } from './readiness.ts';

const { request, events } = longestFlow('readiness');
const records = events.map(({ type, at, data }): HistoryRecord => ({ type, at, data }));
const UNDONE = '2026-11-22T10:00:00.000';

/** The evaluations that were made between a backup and the end of the suite that was restored. */
const undone = (later: number): HistoryRecord[] =>
  records
    .filter(({ type }) => type === evidenceEvaluated.type)
    .map((record) => {
      const data = record.data as DataOf<typeof evidenceEvaluated>;
      const evidences = data.evidences.map((one) => ({
        ...one,
        evidenceRevision: one.evidenceRevision + later,
        evaluationDateTime: UNDONE,
      }));
      return { ...record, data: { ...data, evidences } };
    });

test.each([
  ['the same revision', 0],
  ['a later revision', 1],
])('evaluations of %s that a restore undid keep no proof waiting and are not in it', (_which, later) => {
  for (const all of [
    [...undone(later), ...records],
    [...records, ...undone(later)],
  ]) {
    const history = gather(all, shownIn(request));
    expect(gapsOf(request, history)).toEqual([]);
    const shown = [...shownIn(request)].filter(([, at]) => at !== undefined);
    expect(shown.length).toBeGreaterThan(3);
    for (const [evidenceId, at] of shown)
      expect(evaluationAt(history, evidenceId, request.caseRevision)?.evidence.evaluationDateTime).toBe(at);
  }
});

test.each(['EMAIL', 'PORTRAIT_REFERENCE'])(
  'a proof waits for the evaluation of an evidence that no retrieval lists: %s',
  (type) => {
    const isOfType = ({ type: event, data }: HistoryRecord): boolean =>
      event === evidenceEvaluated.type &&
      (data as DataOf<typeof evidenceEvaluated>).evidences.some((evidence) => evidence.type === type);
    const without = gather(
      records.filter((record) => !isOfType(record)),
      shownIn(request),
    );
    expect(gapsOf(request, without)).toEqual([expect.stringMatching(/^evaluation of /)]);
  },
);

test('a proof waits for the decision that its evaluation reports, also after a former one on the same evidence', () => {
  const former = records.map((record) => {
    if (record.type !== adjudicationDecided.type) return record;
    const data = record.data as DataOf<typeof adjudicationDecided>;
    const details = data.details.map((made) => ({ ...made, startTime: '2026-03-01T09:00:00.000' }));
    return { ...record, data: { ...data, caseId: 'a former case', details } };
  });
  expect(gapsOf(request, gather(former, shownIn(request)))).toEqual([expect.stringMatching(/^decision on /)]);
  expect(gapsOf(request, gather([...former, ...records], shownIn(request)))).toEqual([]);
});
