import * as sequencer from '@jest/test-sequencer';

/** The types call the default export the module. @type {any} */
const Sequencer = sequencer.default;

/**
 * The files that take longest, the longest first. A clean clone knows no durations, and the size of
 * a file says little about them.
 */
const LONGEST = [
  'tests/simulation.test.ts',
  'tests/operations/operations.test.ts',
  'libs/engine/src/document.test.ts',
  'tests/second-suite.test.ts',
  'tests/replicas.test.ts',
  'tests/console.test.ts',
  'tests/crash.test.ts',
  'tests/capture-habits.test.ts',
  'tests/faults.test.ts',
  'tests/capture.test.ts',
  'tests/lost-events.test.ts',
  'tests/command.test.ts',
  'tests/late-news.test.ts',
  'libs/client/src/command/command.test.ts',
  'tests/capture-trouble.test.ts',
  'tests/docs-page.test.ts',
  'libs/client/src/proof/one-byte.test.ts',
  'tests/operations/image.test.ts',
  'libs/testing/src/help.test.ts',
  'tests/newcomer.test.ts',
  'libs/engine/src/pool.test.ts',
  'libs/engine/src/altered.test.ts',
  'services/gateway/src/flows/sweeps.test.ts',
  'tests/snippets.test.ts',
  'services/evidence-intake/src/clients/object-blobs.test.ts',
  'tests/idempotency.test.ts',
  'tests/admin.test.ts',
  'services/verification-worker/src/service.test.ts',
  'services/gateway/src/flows/master-keys.test.ts',
  'tests/command-flow.test.ts',
  'tests/proof-retrieval.test.ts',
  'tests/client-package.test.ts',
  'tests/hostile/marked.test.ts',
  'libs/bus/src/dead-letters.test.ts',
  'tests/purge.test.ts',
  'tests/console-habits.test.ts',
  'tests/python-client.test.ts',
  'tests/in-force.test.ts',
  'tests/states.test.ts',
  'services/verification-worker/src/consumers/chip-portrait.test.ts',
  'services/gateway/src/http/audit.test.ts',
  'services/verification-worker/src/flows/change-case.property.test.ts',
  'libs/chip/src/openssl.test.ts',
  'tests/tls.test.ts',
  'tests/portrait-states.test.ts',
  'services/gateway/src/http/sign-in.test.ts',
  'tests/sandbox.test.ts',
  'libs/engine/src/process-pool.test.ts',
  'tools/release/src/release.test.ts',
  'services/issuing-source-adapter/src/service.withdrawals.test.ts',
  'services/issuing-source-adapter/src/service.faults.test.ts',
  'services/verification-worker/src/domain/evaluate-case.property.test.ts',
  'libs/local-stack/src/run-suite.test.ts',
  'services/issuing-source-adapter/src/service.load.test.ts',
  'services/verification-worker/src/consumers/evidence-surplus.test.ts',
  'libs/engine/src/mirrored.test.ts',
  'libs/engine/src/viz/unread-print.test.ts',
  'libs/engine/src/viz/century.test.ts',
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
