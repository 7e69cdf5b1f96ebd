import type { DocumentJob, Engine } from '@assay/engine';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { idleEngine } from '../testing/idle-engine.ts';
import { anIdentity, type Rig, startRig, submission } from '../testing/rig.ts';

const UNREADABLE = { error: { code: '1500' as const, field: 'DocumentFront', message: 'not an image' } };
/** By their one byte, in the order in which the engine gets them. */
const looked: string[] = [];
let letGo: () => void = () => undefined;
const untilLetGo = new Promise<void>((resolve) => {
  letGo = resolve;
});

/** After the first eight, an image of the bank is looked at only when the town's has been. */
const engine: Engine = {
  ...idleEngine,
  document: async ({ front }: DocumentJob) => {
    const whose = String.fromCharCode(front[0]!);
    looked.push(whose);
    if (whose === 'T') letGo();
    else if (looked.length > 8) await untilLetGo;
    return UNREADABLE;
  },
};

let rig: Rig;
beforeAll(async () => {
  // By this clock every event has waited for ten seconds.
  rig = await startRig(engine, () => new Date(Date.now() + 10_000));
}, 60_000);
afterAll(() => rig.close());

test('when a tenant submits much more than is verified, another one does not wait for it', async () => {
  const submitted = (tenantId: string, image: string) =>
    submission(anIdentity(tenantId), rig, { images: { FRONT: Buffer.from(image) } });
  const ofBank = Array.from({ length: 30 }, () => submitted('bank-0000000000000001', 'B'));
  for (const event of ofBank) await rig.send(event);
  const ofTown = submitted('town-0000000000000001', 'T');
  await rig.send(ofTown);

  expect(await rig.settled(ofTown)).toMatchObject({ status: 'NOT_VERIFIED' });
  expect(looked.indexOf('T')).toBeLessThanOrEqual(10);
  for (const event of ofBank) await rig.settled(event, 'NOT_VERIFIED');
  await waitFor('each image to be looked at once', () => looked.length === 31);
}, 60_000);
