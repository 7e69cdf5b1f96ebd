import { type OwnSuite, onSharedEngines, startOwnSuite } from '@assay/testing';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { restoreStory } from './restore.ts';
import { rollbackStory, upgradeStory } from './upgrade.ts';

/*
 * What operators do with an installation, tried as a whole: one after the other on one suite, which
 * each of them stops and starts again. `npm run test:operations` runs them.
 */
let suite: OwnSuite;
beforeAll(async () => {
  suite = await startOwnSuite('operations', onSharedEngines());
}, 300_000);
afterAll(() => suite?.stop(), 60_000);

describe('a restore', () => restoreStory(() => suite));
// The last two, in this order: the first one leaves the suite as the former release.
describe('a rollback', () => rollbackStory(() => suite));
describe('an upgrade', () => upgradeStory(() => suite));
