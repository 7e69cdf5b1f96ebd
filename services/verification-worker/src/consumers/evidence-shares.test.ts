import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';
import { createTownFirst, imagesOf, tenSecondsAhead } from '../testing/two-tenants.ts';

const { engine, looked } = createTownFirst();
let rig: Rig;
beforeAll(async () => {
  rig = await startRig(engine, tenSecondsAhead);
}, 60_000);
afterAll(() => rig.close());

test('when a tenant submits much more than is verified, another one does not wait for it', async () => {
  const ofBank = imagesOf('bank', 30, rig);
  for (const event of ofBank) await rig.send(event);
  const [ofTown] = imagesOf('town', 1, rig);
  await rig.send(ofTown!);

  expect(await rig.settled(ofTown!)).toMatchObject({ status: 'NOT_VERIFIED' });
  expect(looked.indexOf('T')).toBeLessThanOrEqual(10);
  for (const event of ofBank) await rig.settled(event, 'NOT_VERIFIED');
  await waitFor('each image to be looked at once', () => looked.length === 31);
}, 60_000);
