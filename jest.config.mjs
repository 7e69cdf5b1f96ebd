import { join } from 'node:path';
import { typeboxInTests } from './tests/setup/typebox.mjs';

// Specimens are drawn with the typefaces that come with them. Tests see a copy of the environment,
// which the library that draws letters does not read: it has to be given here.
process.env.FONTCONFIG_FILE = join(import.meta.dirname, 'tools/specimens/fonts/fonts.conf');

/** `npm run test:operations` runs these alone, every other run all but these. */
const operations = '<rootDir>/tests/operations/';
const isOfOperations = process.env.TEST_OPERATIONS === 'true';

/**
 * Jest runs on Node's own ES modules; swc only strips the types. Tests that need the real stack
 * share the one that `tests/setup` starts.
 */
export default {
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/tests/setup/environment.mjs',
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript' },
          // Node wants `with { type: 'json' }` to be said.
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  testMatch: isOfOperations
    ? [`${operations}*.test.ts`]
    : ['<rootDir>/{libs,services,tools}/**/src/**/*.test.ts', '<rootDir>/{pages/src,tests}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(isOfOperations ? [] : [operations])],
  moduleNameMapper: typeboxInTests,
  modulePathIgnorePatterns: ['<rootDir>/.run', '<rootDir>/.cache/(?!typebox)', '/dist/'],
  cacheDirectory: '<rootDir>/.cache/jest',
  globalSetup: '<rootDir>/tests/setup/start-stack.mjs',
  globalTeardown: '<rootDir>/tests/setup/stop-stack.mjs',
  reporters: ['default', '<rootDir>/tests/setup/tally.mjs'],
  testSequencer: '<rootDir>/tests/setup/sequencer.mjs',
  maxWorkers: 2,
  // Modules of finished files are never freed (Node's own ES modules): a worker that has run many
  // collects garbage for most of its time.
  workerIdleMemoryLimit: '600MB',
  testTimeout: 60_000,
};
