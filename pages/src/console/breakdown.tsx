import { Button } from '../design/controls.tsx';
import { Empty, Table, type TableProps } from '../design/display.tsx';
import { type CaseOperatorDay, type CaseReasonDay, type CaseStatistics, ownId } from './api.ts';
import { saveCsv } from './export.ts';
import { totalOf } from './totals.ts';
import { duration, reasonInWords } from './words.ts';

const REASON_COLUMNS = ['Reason', 'Came', 'Accepted', 'Rejected', 'Undecided'];
const OPERATOR_COLUMNS = ['Operator', 'Accepted', 'Rejected', 'Median time to decide'];

const reasonRow = ({ opened, accepted, rejected, undecided }: Omit<CaseReasonDay, 'date' | 'reason'>): string[] =>
  [opened, accepted, rejected, undecided].map(String);

const exportReasons = (reasons: readonly CaseReasonDay[]): void =>
  saveCsv('cases-by-reason.csv', [
    ['date (UTC)', 'reason', 'came', 'accepted', 'rejected', 'undecided'],
    ...reasons.map((day) => [day.date, day.reason, ...reasonRow(day)]),
  ]);

const exportOperators = (operators: readonly CaseOperatorDay[]): void =>
  saveCsv('cases-by-operator.csv', [
    ['date (UTC)', 'operator', 'name', 'accepted', 'rejected', 'median seconds to decide'],
    ...operators.map((day) => [
      day.date,
      day.operatorId,
      day.operatorName ?? '',
      String(day.accepted),
      String(day.rejected),
      String(day.medianDecisionSeconds),
    ]),
  ]);

const nameOf = (operators: readonly CaseOperatorDay[], operatorId: string): string => {
  const name = operators.find((day) => day.operatorId === operatorId)?.operatorName ?? operatorId;
  return operatorId === ownId() ? `${name} (you)` : name;
};

/** A table, or in words that it would be empty. */
const Listed = ({ none, ...table }: TableProps & { none: string }) =>
  table.rows.length === 0 ? <Empty>{none}</Empty> : <Table {...table} />;

/** What became of cases by reason, and who decided: in all, and day by day as files. */
export const Breakdown = ({ statistics: { days, reasons, operators } }: { statistics: CaseStatistics }) => (
  <>
    <h2>By reason</h2>
    <Listed
      none="No case came in this time."
      caption={`Cases by reason, the last ${days.length} days`}
      columns={REASON_COLUMNS}
      rows={totalOf(reasons, ({ reason }) => reason, ['opened', 'accepted', 'rejected', 'undecided']).map(
        ([reason, total]) => [reasonInWords(reason), ...reasonRow(total)],
      )}
    />
    <h2>By operator</h2>
    <Listed
      none="No operator decided in this time."
      caption={`Decisions by operator, the last ${days.length} days`}
      columns={OPERATOR_COLUMNS}
      rows={totalOf(operators, ({ operatorId }) => operatorId, ['accepted', 'rejected']).map(
        ([operatorId, { accepted, rejected }]) => [
          nameOf(operators, operatorId),
          String(accepted),
          String(rejected),
          duration(medianOf(operators, operatorId)),
        ],
      )}
    />
    <p class="bar">
      <Button disabled={reasons.length === 0} onClick={() => exportReasons(reasons)}>
        Reasons by day as CSV
      </Button>
      <Button disabled={operators.length === 0} onClick={() => exportOperators(operators)}>
        Operators by day as CSV
      </Button>
    </p>
  </>
);

/** The median of an operator's days: what a usual day of theirs is like. */
const medianOf = (operators: readonly CaseOperatorDay[], operatorId: string): number => {
  const own = operators.filter((day) => day.operatorId === operatorId).map((day) => day.medianDecisionSeconds);
  return own.sort((a, b) => a - b)[Math.floor(own.length / 2)] ?? 0;
};
