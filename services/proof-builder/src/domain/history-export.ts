import { type DataOf, evidenceDeleted, evidenceSubmitted, formatDateTime, type MediaReference } from '@assay/contracts';
import type { HistoryRecord } from './history.ts';

const withoutSealed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSealed);
  if (typeof value !== 'object' || value === null) return value;
  const remaining = Object.entries(value).filter(([name]) => !name.startsWith('sealed'));
  return Object.fromEntries(remaining.map(([name, inner]) => [name, withoutSealed(inner)]));
};

/**
 * The history for the export of a person's data: oldest first, with the opened parts beside each
 * event, and times in the form that all replies have.
 */
export const exportedHistoryOf = (records: readonly HistoryRecord[]): HistoryRecord[] =>
  records
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map((record) => ({ ...record, at: formatDateTime(new Date(record.at)), data: withoutSealed(record.data) }));

/** Images and files of the evidence that was not deleted, as they were submitted. */
export const mediaOf = (records: readonly HistoryRecord[]): MediaReference[] => {
  const deleted = new Set(
    records
      .filter(({ type }) => type === evidenceDeleted.type)
      .map(({ data }) => (data as DataOf<typeof evidenceDeleted>).evidenceId),
  );
  const submitted = records
    .filter(({ type }) => type === evidenceSubmitted.type)
    .map(({ data }) => data as DataOf<typeof evidenceSubmitted>)
    .filter(({ evidenceId }) => !deleted.has(evidenceId));
  const all = submitted.flatMap(({ media }) => media);
  return [...new Map(all.map((medium) => [medium.mediaId, medium])).values()];
};
