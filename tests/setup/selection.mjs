/**
 * The parts of the real stack that the selected tests need, found by reading the tests and their
 * imports.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { root } from '../../scripts/build.mjs';

const skipped = new Set(['node_modules', 'dist', '.run', '.cache', '.git']);

const testFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : testFiles(join(folder, entry.name));
    return entry.name.endsWith('.test.ts') ? [join(folder, entry.name)] : [];
  });

const importPattern = /(?:from|import\()\s*'(\.[^']+)'/g;

const mentionsStack = (file, seen = new Set()) => {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (/\b(testStack|openBackends)\b|TEST_MONGO_URL|TEST_AMQP_URL/.test(text)) return true;
  return [...text.matchAll(importPattern)].some(([, path = '']) => mentionsStack(resolve(dirname(file), path), seen));
};

/**
 * `{ suite, engines, browser }` for Jest's path patterns (none selects everything): stories need a
 * suite, other tests may need the engines, and some stories a browser.
 */
export const neededBy = (patterns) => {
  const matches = patterns.map((pattern) => new RegExp(pattern, 'i'));
  const folders = ['libs', 'services', 'tools', 'pages', 'tests'].map((name) => join(root, name)).filter(existsSync);
  const files = folders
    .flatMap(testFiles)
    .filter((file) => matches.length === 0 || matches.some((one) => one.test(file)));
  const isStory = (file) => relative(root, file).startsWith('tests/');
  const needsBrowser = (file) =>
    isStory(file) && /from '(playwright-core|.\/setup\/pages.ts)'/.test(readFileSync(file, 'utf8'));
  return {
    suite: files.some(isStory),
    engines: files.some((file) => !isStory(file) && mentionsStack(file)),
    browser: files.some(needsBrowser),
  };
};
