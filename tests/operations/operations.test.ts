import { type OwnSuite, onSharedEngines, startOwnSuite } from '@assay/testing';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { inTurnStory } from './in-turn.ts';
import { restoreStory } from './restore.ts';
import { scalingStory } from './scaling.ts';
import { rollbackStory, upgradeStory } from './upgrade.ts';

/*
 * The work of operators on an installation, tried as a whole. The stories run one after the other
 * on one suite, and each stops and starts it again. `npm run test:operations` runs them.
 */
let suite: OwnSuite;
beforeAll(async () => {
  suite = await startOwnSuite('operations', onSharedEngines(), ['--workers', '0']);
}, 300_000);
afterAll(() => suite?.stop(), 60_000);

// First, because the suite starts without a worker.
describe('workers', () => scalingStory(() => suite));
describe('a restore', () => restoreStory(() => suite));
describe('a backup read in turn', () => inTurnStory(() => suite));
// Last and in this order: the rollback leaves the suite on the former release.
describe('a rollback', () => rollbackStory(() => suite));
describe('an upgrade', () => upgradeStory(() => suite));
