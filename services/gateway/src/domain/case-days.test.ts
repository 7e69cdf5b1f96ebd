import { present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { type Attributed, beginOfDays, caseDays, type Dated, operatorDays, reasonDays } from './case-days.ts';

const NOW = new Date('2026-03-03T01:00:00.000Z');
const aCase = (requestedAt: string, outcome?: Dated['outcome'], decidedAt?: string): Dated => ({
  requestedAt: `2026-${requestedAt}:00.000`,
  ...present({ outcome }),
  ...(decidedAt ? { decidedAt: new Date(`2026-${decidedAt}:00.000Z`) } : {}),
});

describe('the days of cases', () => {
  test('count requested cases and decided cases, each on its day', () => {
    const cases = [
      aCase('03-01T10:00', 'ACCEPT', '03-02T10:00'),
      aCase('03-02T09:00', 'REJECT', '03-02T10:00'),
      aCase('03-02T09:30', 'EXPIRED', '03-03T00:30'),
      aCase('03-03T00:10'),
    ];
    expect(caseDays(cases, NOW, 3)).toEqual([
      { date: '2026-03-01', opened: 1, accepted: 0, rejected: 0, undecided: 0 },
      { date: '2026-03-02', opened: 2, accepted: 1, rejected: 1, undecided: 0, medianWaitSeconds: 24 * 3600 },
      { date: '2026-03-03', opened: 1, accepted: 0, rejected: 0, undecided: 1 },
    ]);
  });

  test('begin at midnight, UTC', () => {
    expect(beginOfDays(NOW, 30)).toBe('2026-02-02T00:00:00.000');
  });
});

test('each case is looked at a few times, however many days are counted', () => {
  let looks = 0;
  const counting = <T>(value: T): T => {
    looks += 1;
    return value;
  };
  const decidedAt = new Date('2026-03-02T10:00:00.000Z');
  const cases: Attributed[] = Array.from({ length: 100 }, () => ({
    get requestedAt() {
      return counting('2026-03-01T10:00:00.000');
    },
    get decidedAt() {
      return counting(decidedAt);
    },
    outcome: 'ACCEPT' as const,
    reasons: ['FIELDS_DISAGREE'],
    decisions: [],
  }));
  for (const days of [caseDays, reasonDays, operatorDays]) days(cases, NOW, 30);
  expect(looks).toBeLessThan(100 * 10);
});

describe('the days of reasons and operators', () => {
  const decided = (operatorId: string, decision: 'ACCEPT' | 'REJECT', endTime: string, seconds: number) => {
    const end = new Date(`2026-${endTime}:00.000Z`);
    const local = (at: Date): string => at.toISOString().slice(0, 23);
    return { operatorId, decision, startTime: local(new Date(end.getTime() - seconds * 1000)), endTime: local(end) };
  };
  const cases: Attributed[] = [
    {
      ...aCase('03-01T10:00', 'REJECT', '03-02T10:00'),
      reasons: ['FIELDS_DISAGREE'],
      decisions: [decided('one', 'ACCEPT', '03-01T12:00', 30), decided('two', 'REJECT', '03-02T10:00', 50)],
    },
    {
      ...aCase('03-02T09:00', 'ACCEPT', '03-02T11:00'),
      reasons: ['MATCH_UNDECIDED'],
      decisions: [decided('two', 'ACCEPT', '03-02T11:00', 10)],
    },
    { ...aCase('03-02T09:30', 'CLOSED', '03-03T00:30'), reasons: ['MATCH_UNDECIDED'], decisions: [] },
  ];

  test('count a case by each of its reasons, on the day of its request and of its end', () => {
    const none = { opened: 0, accepted: 0, rejected: 0, undecided: 0 };
    expect(reasonDays(cases, NOW, 3)).toEqual([
      { ...none, date: '2026-03-01', reason: 'FIELDS_DISAGREE', opened: 1 },
      { ...none, date: '2026-03-02', reason: 'FIELDS_DISAGREE', rejected: 1 },
      { ...none, date: '2026-03-02', reason: 'MATCH_UNDECIDED', opened: 2, accepted: 1 },
      { ...none, date: '2026-03-03', reason: 'MATCH_UNDECIDED', undecided: 1 },
    ]);
  });

  test('count the decisions of each operator, also with four eyes', () => {
    expect(operatorDays(cases, NOW, 3)).toEqual([
      { date: '2026-03-01', operatorId: 'one', accepted: 1, rejected: 0, medianDecisionSeconds: 30 },
      { date: '2026-03-02', operatorId: 'two', accepted: 1, rejected: 1, medianDecisionSeconds: 50 },
    ]);
  });
});
