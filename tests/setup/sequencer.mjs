import * as sequencer from '@jest/test-sequencer';

/** The types call the default export the module. @type {any} */
const Sequencer = sequencer.default;

/**
 * The files that take longest, the longest first. A clean clone knows no durations, and the size of
 * a file says little about them.
 */
const LONGEST = [
  'tests/simulation.test.ts',
  'tests/console.test.ts',
  'tests/capture.test.ts',
  'tests/second-suite.test.ts',
  'tests/crash.test.ts',
  'tests/faults.test.ts',
  'tests/replicas.test.ts',
  'tests/operations/operations.test.ts',
  'libs/engine/src/document.test.ts',
  'tests/capture-habits.test.ts',
  'tests/lost-events.test.ts',
  'tests/late-news.test.ts',
  'tests/hostile/marked.test.ts',
  'services/verification-worker/src/flows/change-case.property.test.ts',
  'services/verification-worker/src/domain/upgrade-paths.property.test.ts',
  'libs/engine/src/altered.test.ts',
  'tests/states.test.ts',
  'tests/proof-retrieval.test.ts',
  'tests/hostile/gone.test.ts',
  'tests/newcomer.test.ts',
  'services/issuing-source-adapter/src/service.faults.test.ts',
  'tests/admin.test.ts',
  'tests/operations/image.test.ts',
  'services/verification-worker/src/service.test.ts',
  'tests/command.test.ts',
  'tests/idempotency.test.ts',
  'tests/docs-page.test.ts',
  'services/verification-worker/src/domain/evaluate-case.property.test.ts',
  'tests/tls.test.ts',
  'tests/guide.test.ts',
  'libs/client/src/proof/one-byte.test.ts',
  'libs/testing/src/help.test.ts',
];

/** @param {{ path: string }} test */
const placeOf = ({ path }) => {
  const place = LONGEST.findIndex((file) => path.endsWith(`/${file}`));
  return place === -1 ? LONGEST.length : place;
};

/**
 * Runs the longest files first, so that at the end no worker is left alone with one of them; the
 * others in Jest's order.
 */
export default class LongestFirst extends Sequencer {
  /** @param {{ path: string }[]} tests */
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
