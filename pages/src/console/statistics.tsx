import type { CaseStatistics } from './api.ts';
import { Breakdown } from './breakdown.tsx';
import { Days } from './charts.tsx';
import { duration } from './words.ts';

const Numbers = ({ statistics }: { statistics: CaseStatistics }) => {
  const { open, claimed, accepted, rejected, decided, medianDecisionSeconds: median } = statistics;
  const figures: [string, number | string][] = [
    ['Open', open],
    ['Claimed', claimed],
    ['Accepted', accepted],
    ['Rejected', rejected],
    ['Ended undecided', decided - accepted - rejected],
    ['Median from claim to decision', median === undefined ? '–' : duration(median)],
  ];
  return (
    <dl class="numbers">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** How the work goes: in figures, day by day, by reason and by operator. */
export const Statistics = ({ statistics }: { statistics: CaseStatistics | undefined }) =>
  statistics ? (
    <>
      <Numbers statistics={statistics} />
      <Days days={statistics.days} />
      <Breakdown statistics={statistics} />
    </>
  ) : (
    <p role="status">Loading …</p>
  );
