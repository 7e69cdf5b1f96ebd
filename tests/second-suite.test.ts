import { join } from 'node:path';
import { type OwnSuite, onSharedEngines, readStack, startOwnSuite } from '@assay/testing';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { clocksStory } from './second-suite/clocks.ts';
import { costStory } from './second-suite/cost.ts';
import { queriesStory, type Recorder, startRecorder } from './second-suite/queries.ts';
import { rotationStory } from './second-suite/rotation.ts';
import { startCollector, tracingStory } from './second-suite/tracing.ts';
import { walkStory } from './second-suite/walk.ts';

/*
 * Stories that need services which nobody else uses, one after the other on one suite: starting one
 * takes 15 seconds of a processor. It runs on the engines of the other stories' suite.
 */
let collector: Awaited<ReturnType<typeof startCollector>>;
let recorder: Recorder;
let suite: OwnSuite;
beforeAll(async () => {
  collector = await startCollector();
  recorder = await startRecorder(readStack().mongoUrl);
  suite = await startOwnSuite('second', {
    ...onSharedEngines(),
    MONGODB_URI: recorder.through(readStack().mongoUrl),
    MONGO_COUNT: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    SIGNING_KEY_OVERLAP_SECONDS: '1',
    // What the first stories did is not republished in the middle of the last one.
    REPUBLISH_AFTER_MS: '3600000',
    SUITE_NODE_ARGUMENTS: `--import ${join(import.meta.dirname, 'setup/wrong-clock.mjs')}`,
  });
}, 300_000);
afterAll(async () => {
  await suite?.stop();
  collector?.close();
  await recorder?.close();
}, 60_000);

describe('clocks', clocksStory);
describe('tracing', tracingStory);
describe('what steps ask of the database', costStory);
describe('rotation', rotationStory);
describe('routes', walkStory);
describe('queries', () => queriesStory(() => recorder));
