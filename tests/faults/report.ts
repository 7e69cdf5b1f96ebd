import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { Report } from './run.ts';

const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
];

const commitOf = (folder: string): string =>
  execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { cwd: folder, encoding: 'utf8' }).trim();

/** A report as a page for docs/reports. */
export const pageOf = (title: string, command: string, { plan, answers, figures, broken, seconds }: Report): string =>
  [
    `# ${title}`,
    '',
    `${new Date().toISOString().slice(0, 10)}, commit ${commitOf(import.meta.dirname)}, ${cpus().length} processor cores, ${seconds} s:`,
    '',
    '```sh',
    command,
    '```',
    '',
    broken.length === 0 ? 'No promise was broken.' : `${broken.length} promises were broken:`,
    ...broken.slice(0, 100).map((text) => `- ${text}`),
    '',
    '## What was counted',
    ...table(['figure', 'value'], Object.entries(figures)),
    '',
    '## What the clients were answered',
    ...table(['answer', 'times'], Object.entries(answers)),
    ...(plan.length > 0
      ? [
          '',
          '## What went wrong on purpose',
          ...table(
            ['after so many submissions', 'fault', 'for ms', 'times it struck'],
            plan.map(({ at, fault, ms, hits }) => [at, fault, ms, hits]),
          ),
        ]
      : []),
    '',
  ].join('\n');
