import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';
import { createTownFirst, imagesOf, tenSecondsAhead } from '../testing/two-tenants.ts';

const { engine, looked } = createTownFirst();
let rig: Rig;
beforeAll(async () => {
  rig = await startRig(engine, tenSecondsAhead);
}, 60_000);
afterAll(() => rig.close());

test('a peak of one tenant does not wait behind all that another submitted too much', async () => {
  const [ofBank, ofTown] = [imagesOf('bank', 200, rig), imagesOf('town', 20, rig)];
  for (const event of [...ofBank, ...ofTown]) await rig.send(event);

  for (const event of [...ofTown, ...ofBank]) await rig.settled(event);
  expect(looked.filter((whose) => whose === 'T')).toHaveLength(20);
  expect(looked.lastIndexOf('T')).toBeLessThan(120);
}, 60_000);
