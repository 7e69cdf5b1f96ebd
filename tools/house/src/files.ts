import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** `src` is what runs in production; `test` holds tests and what only tests use. */
type Kind = 'src' | 'test' | 'other';

export interface SourceFile {
  /** From the root. */
  path: string;
  kind: Kind;
  /** `services/gateway`, `libs/bus`, `bench` ... */
  home: string;
  text: string;
  lines: string[];
}

const ONLY_FOR_TESTS =
  /\.test\.tsx?$|\/testing\/|\/test-[\w-]+\.ts$|\/case-(builders|arbitraries)\.ts$|^libs\/testing\//;

const kindOf = (path: string): Kind => {
  if (path.startsWith('tests/') || ONLY_FOR_TESTS.test(path)) return 'test';
  return /^(pages|(libs|services)\/[^/]+)\/src\//.test(path) ? 'src' : 'other';
};

const homeOf = (path: string): string => {
  const [area = '', name = ''] = path.split('/');
  return ['libs', 'services', 'tools'].includes(area) ? `${area}/${name}` : area;
};

/**
 * Every TypeScript file of the repository that is not ignored, also one that is not committed yet.
 */
export const sourceFiles = (): SourceFile[] => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], { cwd: root });
  const deleted = execFileSync('git', ['ls-files', '-d'], { cwd: root }).toString().split('\n');
  return [...new Set(listed.toString().trim().split('\n'))]
    .filter((path) => !deleted.includes(path) && !path.endsWith('.d.ts'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, kind: kindOf(path), home: homeOf(path), text, lines: text.replace(/\n$/, '').split('\n') };
    });
};
