import { Field, Select } from '../design/controls.tsx';
import type { CaseSummary } from './api.ts';
import { reasonInWords, typeInWords } from './words.ts';

const ORDERS = [
  ['usual', 'as they came'],
  ['expires', 'first to expire'],
  ['type', 'by type'],
] as const;
export type Order = (typeof ORDERS)[number][0];

/** True of a case that has each word in its type, reasons or ids. */
export const matches = (summary: CaseSummary, search: string): boolean => {
  const all = [
    typeInWords(summary.type),
    ...summary.reasons.map(reasonInWords),
    summary.caseId,
    summary.identityId,
    summary.evidenceId,
  ]
    .join(' ')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};

export const sorted = (cases: readonly CaseSummary[], order: Order): CaseSummary[] => {
  if (order === 'expires') return cases.toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt));
  return order === 'type' ? cases.toSorted((a, b) => a.type.localeCompare(b.type)) : [...cases];
};

interface FinderProps {
  search: string;
  order: Order;
  onSearch: (search: string) => void;
  onOrder: (order: Order) => void;
}

/** Finds cases among those that are listed. */
export const Finder = ({ search, order, onSearch, onOrder }: FinderProps) => (
  <search class="bar finder">
    <Field label="Search by type, reason, case or identity id">
      <input type="search" value={search} onInput={(event) => onSearch(event.currentTarget.value)} />
    </Field>
    <Select label="Order" value={order} options={ORDERS} onSelect={onOrder} />
  </search>
);
