import { join } from 'node:path';

// Specimens are drawn with the typefaces that come with them. Tests see a copy of the environment,
// which the library that draws letters does not read: it has to be given here.
process.env.FONTCONFIG_FILE = join(import.meta.dirname, 'tools/specimens/fonts/fonts.conf');

/** `npm run test:operations` runs these alone, `.ci/run` these too, `npm test` all but these. */
const operations = '<rootDir>/tests/operations/';
const drills = process.env.TEST_OPERATIONS ?? 'NONE';

/**
 * A worker loads modules as Node does and keeps them for the next test file
 * (tests/setup/runtime.cjs). Tests that need the real stack share the one that `tests/setup`
 * starts.
 */
export default {
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/tests/setup/environment.mjs',
  runtime: '<rootDir>/tests/setup/runtime.cjs',
  transform: {},
  testMatch:
    drills === 'ONLY'
      ? [`${operations}*.test.ts`]
      : ['<rootDir>/{libs,services,tools}/**/src/**/*.test.ts', '<rootDir>/{pages/src,tests}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(drills === 'NONE' ? [operations] : [])],
  modulePathIgnorePatterns: ['<rootDir>/.run', '<rootDir>/.cache', '/dist/'],
  cacheDirectory: '<rootDir>/.cache/jest',
  globalSetup: '<rootDir>/tests/setup/start-stack.mjs',
  globalTeardown: '<rootDir>/tests/setup/stop-stack.mjs',
  reporters: ['default', '<rootDir>/tests/setup/tally.mjs'],
  testSequencer: '<rootDir>/tests/setup/sequencer.mjs',
  // Stories and tests of services wait for other processes half of their time.
  maxWorkers: 3,
  workerIdleMemoryLimit: '800MB',
  testTimeout: 60_000,
};
