import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Production sources below a folder, in order. */
export const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return ['node_modules', 'dist', 'testing'].includes(entry.name) ? [] : sourcesIn(path);
      return /(?<!\.test)\.ts$/.test(entry.name) ? [path] : [];
    });

/** Rows under a header, as Markdown; a bar inside a cell would end it. */
export const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
    .replace(/\| --- /g, '|---')
    .replace(/---\|---/g, '---|---');

export const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
