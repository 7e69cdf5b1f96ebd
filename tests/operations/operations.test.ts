import { type OwnSuite, onSharedEngines, startOwnSuite } from '@assay/testing';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { restoreStory } from './restore.ts';
import { scalingStory } from './scaling.ts';
import { rollbackStory, upgradeStory } from './upgrade.ts';

/*
 * What operators do with an installation, tried as a whole: one after the other on one suite, which
 * each of them stops and starts again. `npm run test:operations` runs them.
 */
let suite: OwnSuite;
beforeAll(async () => {
  suite = await startOwnSuite('operations', onSharedEngines(), ['--workers', '0']);
}, 300_000);
afterAll(() => suite?.stop(), 60_000);

// The first: the suite starts without a worker, and goes on with one.
describe('workers', () => scalingStory(() => suite));
describe('a restore', () => restoreStory(() => suite));
// The last two, in this order: the first one leaves the suite as the former release.
describe('a rollback', () => rollbackStory(() => suite));
describe('an upgrade', () => upgradeStory(() => suite));
