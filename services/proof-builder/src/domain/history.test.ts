import { evidenceEvaluated } from '@assay/contracts';
import { expect, test } from '@jest/globals';
import { longestFlow } from '../testing/longest-flow.ts';
import { gather, type HistoryRecord } from './history.ts';

const recordsOf = (): HistoryRecord[] =>
  longestFlow('history').events.map(({ type, at, data }) => ({ type, at, data }));

test('an evaluation that is published again, alone and with the present revision of the case, is not counted again', () => {
  const records = recordsOf();
  const evaluated = records.filter(({ type }) => type === evidenceEvaluated.type);
  type Evaluated = { caseRevision: number; evidences: object[] };
  const newest = Math.max(...evaluated.map(({ data }) => (data as Evaluated).caseRevision));
  const again = evaluated.flatMap(({ data, ...record }) =>
    (data as Evaluated).evidences.map((one) => ({
      ...record,
      data: { ...(data as Evaluated), caseRevision: newest, evidences: [one] },
    })),
  );
  expect(again.length).toBeGreaterThan(5);
  expect(gather([...again, ...records]).evaluations).toEqual(gather(records).evaluations);
});
