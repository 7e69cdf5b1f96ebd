import type { CaseSummary } from './api.ts';
import { csvOf } from './csv.ts';

const COLUMNS: readonly (readonly [string, (summary: CaseSummary) => string])[] = [
  ['case', ({ caseId }) => caseId],
  ['identity', ({ identityId }) => identityId],
  ['evidence', ({ evidenceId }) => evidenceId],
  ['type', ({ type }) => type],
  ['state', ({ state }) => state],
  ['requested at (UTC)', ({ requestedAt }) => requestedAt],
  ['expires at (UTC)', ({ expiresAt }) => expiresAt],
  ['why', ({ reasons }) => reasons.join(' ')],
  ['outcome', ({ decision }) => decision ?? ''],
  ['closed because', ({ closedBecause }) => closedBecause ?? ''],
  ['decided at (UTC)', ({ decisions }) => decisions.at(-1)?.at ?? ''],
  ['operators', ({ decisions }) => decisions.map(({ operatorId }) => operatorId).join(' ')],
  ['reasons of rejection', ({ decisions }) => [...new Set(decisions.flatMap(({ reasons }) => reasons))].join(' ')],
];

/**
 * The cases that are listed as a table for other programs; ids, codes and times, nothing personal.
 */
const caseRows = (cases: readonly CaseSummary[]): string[][] => [
  COLUMNS.map(([name]) => name),
  ...cases.map((each) => COLUMNS.map(([, cellOf]) => cellOf(each))),
];

/** By this, spreadsheets know the file as Unicode: names are in all scripts. */
const BYTE_ORDER_MARK = '\ufeff';

/** Saves rows as a file. */
export const saveCsv = (download: string, rows: readonly (readonly string[])[]): void => {
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, csvOf(rows)], { type: 'text/csv;charset=utf-8' }));
  Object.assign(document.createElement('a'), { href: url, download }).click();
  URL.revokeObjectURL(url);
};

/** Saves the listed cases as a file. */
export const exportCases = (cases: readonly CaseSummary[]): void => saveCsv('cases.csv', caseRows(cases));
