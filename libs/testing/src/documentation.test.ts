import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as contracts from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';

const { EVENTS, QUEUES } = contracts;
const root = join(import.meta.dirname, '../../..');
const specification = readFileSync(join(root, 'docs/specification.md'), 'utf8');

const withoutCode = (page: string): string => page.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');

/**
 * The anchors of a page: those that it sets itself, and those that GitHub makes from its headings.
 */
const anchorsOf = (page: string): Set<string> => {
  const headings = [...page.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{Letter}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
};
const anchors = anchorsOf(specification);

/** The rows of the index: rule, section, path. */
const index = [...specification.matchAll(/^\| ([^|]+) \| \[[^\]]+\]\(#([^)]+)\) \| (\S+) \|$/gm)].map(
  ([, rule = '', section = '', path = '']) => ({
    rule,
    section,
    path: /^(libs|docs)\//.test(path) ? path : `services/${path}`,
  }),
);

describe('the index of rules in docs/specification.md', () => {
  test('is read completely', () => {
    const table = specification.slice(specification.indexOf('| rule |'), specification.indexOf('## 1. '));
    expect(index).toHaveLength(table.trim().split('\n').length - 2);
    expect(index.length).toBeGreaterThanOrEqual(60);
  });

  test.each(index)('"$rule" is in $path', ({ path, section }) => {
    expect(existsSync(join(root, path)) ? path : 'no such file').toBe(path);
    expect([...anchors]).toContain(section);
  });
});

const pagesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'images' ? [] : pagesIn(join(folder, entry.name));
    return entry.name.endsWith('.md') ? [join(folder, entry.name)] : [];
  });

const packagesIn = (folder: string): string[] => readdirSync(join(root, folder)).map((name) => join(folder, name));
const packages = [...packagesIn('libs'), ...packagesIn('tools'), 'pages'];
const readmes = packages.map((one) => join(one, 'README.md')).filter((page) => existsSync(join(root, page)));
const pages = ['README.md', 'CONTRIBUTING.md', ...pagesIn('docs'), ...readmes];

test.each(pages)('every link of %s leads somewhere', (name) => {
  const page = readFileSync(join(root, name), 'utf8');
  const links = [...withoutCode(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const dead = links.filter(([, path, anchor]) => {
    const target = path ? join(root, dirname(name), path) : join(root, name);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

const FILE = /`((?:libs|services|pages|tests|tools|bench|deploy|scripts|docs)\/[\w./-]+\.\w+)`/g;
test.each(pages)('every file that %s names exists', (name) => {
  const page = readFileSync(join(root, name), 'utf8');
  const missing = [...page.matchAll(FILE)].map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});

/** The sources below a folder, without tests and what is for tests. */
const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sourcesIn(join(folder, entry.name));
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [join(folder, entry.name)] : [];
  });

describe.each(packages)('the README of %s', (name) => {
  const page = join(root, name, 'README.md');
  const lines = existsSync(page) ? readFileSync(page, 'utf8').trimEnd().split('\n') : [];

  test('has one to ten lines', () => {
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  test('names every package that its sources import, and no other', () => {
    const imported = sourcesIn(join(name, 'src')).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/from '(@assay\/[a-z-]+)/g)].map(([, one]) => one),
    );
    const line = lines.find((one) => one.startsWith('- Imports: ')) ?? '';
    const [permitted = ''] = line.split('. ');
    const named = [...permitted.matchAll(/`(@assay\/[a-z-]+)`/g)].map(([, one]) => one);
    expect(named.sort()).toEqual([...new Set(imported)].sort());
  });

  test('names no source file that it does not have', () => {
    const files = (readdirSync(join(root, name, 'src'), { recursive: true }) as string[]).map((path) => basename(path));
    const named = [...lines.join('\n').matchAll(/`(?:src\/)?(?:[\w-]+\/)*([\w.-]+\.tsx?)`/g)].map(
      ([, file = '']) => file,
    );
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
  });
});

test.each(EVENTS.map(({ type }) => type))('docs/events.md names the readers of %s', (type) => {
  const events = readFileSync(join(root, 'docs/events.md'), 'utf8');
  const row = events.split('\n').find((line) => line.startsWith(`| ${type} |`)) ?? '';
  const heardBy = row.split('|')[3]?.trim().split(', ') ?? [];
  const readers = Object.keys(QUEUES).filter((queue) => QUEUES[queue]?.includes(type));
  expect(heardBy.sort()).toEqual([...new Set(readers.map((queue) => queue.split('.')[0]))].sort());
});

const CODE = /\.(?:tsx?|mjs|json|ya?ml|py|css)$/;
const codeIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', '.cache'].includes(entry.name)) return [];
    if (entry.isDirectory()) return codeIn(join(folder, entry.name));
    return CODE.test(entry.name) ? [join(folder, entry.name)] : [];
  });

describe('comments in the code', () => {
  const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const known = { specification: anchors, architecture: anchorsOf(architecture) };
  const titles = (page: string) =>
    [...page.matchAll(/^#+ (?:[\d.]+ |Endpoint \d: )?(.+)$/gm)].map(([, title = '']) => title);
  const sections = { specification: titles(specification), architecture: titles(architecture) };
  const decisions = readdirSync(join(root, 'docs/decisions'));
  const files = ['libs', 'services', 'pages', 'tools', 'tests', 'bench', 'scripts', 'deploy'].flatMap(codeIn);
  // A citation may extend over two lines of a comment.
  const texts = files
    .filter((file) => !file.endsWith('documentation.test.ts'))
    .map((file) => [file, readFileSync(join(root, file), 'utf8').replace(/\n\s*(?:\*|\/\/) ?/g, ' ')] as const);

  const citations = (pattern: RegExp) =>
    texts.flatMap(([file, text]) => [...text.matchAll(pattern)].map((match) => ({ file, match })));

  test('cite endpoints and invariants that have a number', () => {
    const found = citations(/\b(endpoint|invariant)s? (\d+(?:(?:, | and | or | to )\d+)*)/g);
    const unknown = found.filter(({ match: [, kind = '', numbers = ''] }) => {
      const page = kind === 'endpoint' ? known.specification : known.architecture;
      return (numbers.match(/\d+/g) ?? []).some((number) => !page.has(`${kind}-${number}`));
    });
    expect(unknown.map(({ file, match }) => `${file}: ${match[0]}`)).toEqual([]);
    expect(found.length).toBeGreaterThan(40);
  });

  test('cite sections by their titles', () => {
    const found = citations(/\b(specification|architecture), ([A-Z][^.;:()]*)/g);
    const unknown = found.filter(({ match: [, page = '', cited = ''] }) => {
      const candidates = sections[page as keyof typeof sections];
      return !candidates.some((title) => cited.startsWith(title) && !/^\w/.test(cited.slice(title.length)));
    });
    expect(unknown.map(({ file, match }) => `${file}: ${match[0]}`)).toEqual([]);
    expect(found.length).toBeGreaterThan(30);
  });

  test('cite existing pages and decisions', () => {
    const pagesCited = citations(/\bdocs\/[\w/-]+\.md\b/g).filter(({ match }) => !existsSync(join(root, match[0])));
    const decisionsCited = citations(/\bdecision (\d+)\b/g).filter(
      ({ match: [, number = ''] }) => !decisions.some((name) => name.startsWith(number.padStart(4, '0'))),
    );
    expect([...pagesCited, ...decisionsCited].map(({ file, match }) => `${file}: ${match[0]}`)).toEqual([]);
  });

  test('cite nothing that is not in docs/', () => {
    const found = citations(
      /\((?:decisions|interfaces|design|Errors|Events), |\b(?:decisions|interfaces|design)\.md\b|\bADR\b/g,
    );
    expect(found.map(({ file, match }) => `${file}: ${match[0]}`)).toEqual([]);
  });
});

/**
 * The name under which the contracts export an event. A service that handles the event must contain
 * it.
 */
const exportOf = (type: string): string | undefined =>
  Object.entries(contracts).find(
    ([, value]) => typeof value === 'object' && 'type' in value && value.type === type,
  )?.[0];
const heard = Object.entries(QUEUES).flatMap(([queue, types]) => types.map((type) => ({ queue, type })));

test.each(heard)('$type has a handler in the service of $queue', ({ queue, type }) => {
  const service = readFileSync(join(root, 'services', queue.split('.')[0] ?? '', 'src/service.ts'), 'utf8');
  expect(service).toMatch(new RegExp(`\\b${exportOf(type)}\\b`));
});

test('architecture.md names every collection that operations.md gives a time for', () => {
  const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
  const stored = [...page('operations.md').matchAll(/^\| `[a-z_]+\.([A-Za-z]+)(\.(?:files|chunks))?`/gm)];
  const named = stored.map(([, collection = '', part]) => `\`${collection}${part ? '.*' : ''}\``);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !page('architecture.md').includes(name))).toEqual([]);
});
