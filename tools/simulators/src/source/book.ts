import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { keyOf, numberOf, plainNumber, type SourceRecord } from './record.ts';

/** The records a simulated source knows. */
export interface Book {
  put(record: SourceRecord): void;
  empty(): void;
  /** Records under a number, whatever signs it is written with; the newest first. */
  under(number: string): SourceRecord[];
}

const bare = (number: string): string => plainNumber(number).replace(/^0+/, '');

/**
 * A book that a restart finds again when it has a file: one record a line, the last of a document
 * counts.
 */
export const createBook = (file?: string): Book => {
  const records = new Map<string, SourceRecord>();
  const byNumber = new Map<string, Set<string>>();
  const store = (record: SourceRecord): void => {
    const key = keyOf(record);
    records.delete(key);
    records.set(key, record);
    const number = bare(numberOf(record));
    byNumber.set(number, (byNumber.get(number) ?? new Set()).add(key));
  };
  if (file && existsSync(file)) {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    for (const line of lines) store(JSON.parse(line) as SourceRecord);
  }
  if (file) mkdirSync(dirname(file), { recursive: true });
  return {
    put: (record) => {
      if (file) appendFileSync(file, `${JSON.stringify(record)}\n`);
      store(record);
    },
    empty: () => {
      if (file) writeFileSync(file, '');
      records.clear();
      byNumber.clear();
    },
    under: (number) => [...(byNumber.get(bare(number)) ?? [])].map((key) => records.get(key)!).reverse(),
  };
};
