import { present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { beginOfDays, caseDays, type Dated } from './case-days.ts';

const NOW = new Date('2026-03-03T01:00:00.000Z');
const aCase = (requestedAt: string, outcome?: Dated['outcome'], decidedAt?: string): Dated => ({
  requestedAt: `2026-${requestedAt}:00.000`,
  ...present({ outcome }),
  ...(decidedAt ? { decidedAt: new Date(`2026-${decidedAt}:00.000Z`) } : {}),
});

describe('the days of cases', () => {
  test('count what came and what was decided, each on its day', () => {
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
