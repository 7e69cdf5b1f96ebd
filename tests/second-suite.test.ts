import { type OwnSuite, onSharedEngines, startOwnSuite } from '@assay/testing';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { costStory } from './second-suite/cost.ts';
import { startCollector, tracingStory } from './second-suite/tracing.ts';

/*
 * Stories that need services which nobody else uses, one after the other on one suite: starting one
 * takes 15 seconds of a processor. It runs on the engines of the other stories' suite.
 */
let collector: Awaited<ReturnType<typeof startCollector>>;
let suite: OwnSuite;
beforeAll(async () => {
  collector = await startCollector();
  suite = await startOwnSuite('second', {
    ...onSharedEngines(),
    MONGO_COUNT: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
}, 300_000);
afterAll(async () => {
  await suite?.stop();
  collector?.close();
}, 60_000);

describe('tracing', tracingStory);
describe('what steps ask of the database', costStory);
