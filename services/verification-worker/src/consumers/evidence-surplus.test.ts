import type { DocumentJob, Engine } from '@assay/engine';
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

/** After eight images, one of the bank is looked at only when one of the town has been. */
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

test('a peak of one tenant does not wait behind all that another submitted too much', async () => {
  const submitted = (tenantId: string, image: string, count: number) =>
    Array.from({ length: count }, () =>
      submission(anIdentity(tenantId), rig, { images: { FRONT: Buffer.from(image) } }),
    );
  const ofBank = submitted('bank-0000000000000001', 'B', 200);
  const ofTown = submitted('town-0000000000000001', 'T', 20);
  for (const event of [...ofBank, ...ofTown]) await rig.send(event);

  for (const event of [...ofTown, ...ofBank]) await rig.settled(event);
  expect(looked.filter((whose) => whose === 'T')).toHaveLength(20);
  expect(looked.lastIndexOf('T')).toBeLessThan(120);
}, 60_000);
