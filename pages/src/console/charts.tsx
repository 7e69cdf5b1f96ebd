import { Table } from '../design/display.tsx';
import type { CaseDay } from './api.ts';
import { duration } from './words.ts';

const WIDTH = 600;
const HEIGHT = 120;
const GAP = 2;

interface Series {
  name: string;
  tone: 'good' | 'bad' | 'accent' | 'border';
  values: readonly number[];
}

/**
 * Bars of each day, the series on top of one another; the table beside it says the same in numbers.
 */
const Bars = ({ label, series }: { label: string; series: readonly Series[] }) => {
  const count = series[0]?.values.length ?? 0;
  const totals = Array.from({ length: count }, (_, day) =>
    series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0),
  );
  const highest = Math.max(0, ...totals);
  const width = WIDTH / Math.max(1, count);
  const scaled = (value: number): number => (value / Math.max(1, highest)) * (HEIGHT - 1);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${label}; at most ${highest} on a day`}>
        {series.map(({ name, tone, values }, at) =>
          values.map((value, day) => {
            const below = series.slice(0, at).reduce((sum, lower) => sum + (lower.values[day] ?? 0), 0);
            return (
              <rect
                key={`${name}${day}`}
                x={day * width + GAP / 2}
                y={HEIGHT - scaled(below + value)}
                width={width - GAP}
                height={scaled(value)}
                fill={`var(--${tone})`}
              />
            );
          }),
        )}
      </svg>
      <figcaption>
        {label}, at most {highest} on a day.{' '}
        {series.map(({ name, tone }) => (
          <span key={name} class="legend">
            <span class="swatch" style={{ background: `var(--${tone})` }} /> {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
};

const share = ({ accepted, rejected }: CaseDay): string =>
  accepted + rejected === 0 ? '–' : `${Math.round((100 * accepted) / (accepted + rejected))} %`;

/** What came and what was decided, day by day. */
export const Days = ({ days }: { days: readonly CaseDay[] }) => (
  <>
    <h2>The last {days.length} days</h2>
    <div class="charts">
      <Bars
        label="Cases that came"
        series={[{ name: 'opened', tone: 'accent', values: days.map(({ opened }) => opened) }]}
      />
      <Bars
        label="Cases that ended"
        series={[
          { name: 'accepted', tone: 'good', values: days.map(({ accepted }) => accepted) },
          { name: 'rejected', tone: 'bad', values: days.map(({ rejected }) => rejected) },
          { name: 'undecided', tone: 'border', values: days.map(({ undecided }) => undecided) },
        ]}
      />
    </div>
    <Table
      caption="Cases by day"
      columns={['Day (UTC)', 'Came', 'Accepted', 'Rejected', 'Undecided', 'Share accepted', 'Median wait']}
      rows={days
        .filter(({ opened, accepted, rejected, undecided }) => opened + accepted + rejected + undecided > 0)
        .map((day) => [
          day.date,
          String(day.opened),
          String(day.accepted),
          String(day.rejected),
          String(day.undecided),
          share(day),
          day.medianWaitSeconds === undefined ? '–' : duration(day.medianWaitSeconds),
        ])}
    />
  </>
);
