import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Effect, notYetOpened, step, type Upkeep, type UpkeepEvent } from './upkeep.ts';

/**
 * The broker's side: which runs are open there, which are being opened or closed, and which events
 * the client has not received yet.
 */
const createWorld = () => {
  let state: Upkeep = notYetOpened;
  let isBaseUp = false;
  const opening = new Set<number>();
  const open = new Set<number>();
  const closing = new Set<number>();
  let pause: number | undefined;
  const late: UpkeepEvent[] = [];

  const perform = (effect: Effect): void => {
    if (effect.do === 'open') opening.add(effect.run);
    if (effect.do === 'close' && open.has(effect.run)) closing.add(effect.run);
    if (effect.do === 'pause') pause = effect.run;
  };
  const send = (event: UpkeepEvent): void => {
    const next = step(state, event);
    state = next.state;
    for (const effect of next.effects) perform(effect);
  };
  const first = (runs: Set<number>): number | undefined => [...runs][0];
  const forget = (run: number): void => {
    for (const runs of [opening, open, closing]) runs.delete(run);
  };

  const happen: Record<string, () => void> = {
    baseUp: () => {
      isBaseUp = true;
      send({ type: 'base-up' });
    },
    baseDown: () => {
      isBaseUp = false;
      // Everything open ends at the broker. The client learns that after the loss of the base.
      for (const run of [...opening, ...open]) {
        forget(run);
        late.push({ type: 'lost', run });
      }
      send({ type: 'base-down' });
    },
    opens: () => {
      const run = first(opening);
      if (run === undefined) return;
      opening.delete(run);
      open.add(run);
      send({ type: 'opened', run });
    },
    fails: () => {
      const run = first(opening) ?? first(open);
      if (run === undefined) return;
      forget(run);
      send({ type: 'lost', run });
    },
    closes: () => {
      const run = first(closing);
      if (run === undefined) return;
      forget(run);
      send({ type: 'lost', run });
    },
    cancelled: () => {
      const run = first(open);
      if (run !== undefined) send({ type: 'unusable', run });
    },
    due: () => {
      const run = pause;
      pause = undefined;
      if (run !== undefined) send({ type: 'due', run });
    },
    steady: () => send({ type: 'steady', run: state.run }),
    lateEvent: () => {
      const event = late.shift();
      if (event) send(event);
    },
    repeatedEvents: () => {
      send({ type: 'lost', run: state.run - 1 });
      send({ type: 'due', run: state.run - 1 });
    },
  };
  return {
    happen,
    stop: () => send({ type: 'stop' }),
    state: () => state,
    atTheBroker: () => opening.size + open.size,
    isOpen: () => open.size === 1 && state.phase === 'open',
    /** Ends all faults: the base is up and everything that is requested succeeds. */
    calm: () => {
      if (!isBaseUp) happen.baseUp?.();
      for (let n = 0; n < 20; n += 1) for (const name of ['lateEvent', 'closes', 'due', 'opens']) happen[name]?.();
    },
  };
};

const names = Object.keys(createWorld().happen);
const histories = fc.array(fc.constantFrom(...names), { maxLength: 60 });

test('whatever happens, there are never two at the broker, and one is open once the faults stop', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const world = createWorld();
      for (const name of history) {
        world.happen[name]?.();
        expect(world.atTheBroker()).toBeLessThanOrEqual(1);
      }
      world.calm();
      expect(world.isOpen()).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('whenever it is stopped, nothing stays open and nothing is opened again', () => {
  fc.assert(
    fc.property(histories, histories, (before, after) => {
      const world = createWorld();
      for (const name of before) world.happen[name]?.();
      world.stop();
      for (const name of after) world.happen[name]?.();
      world.calm();
      expect([world.state().phase, world.atTheBroker()]).toEqual(['stopped', 0]);
    }),
    { numRuns: 2000 },
  );
});

test('pauses grow with each failure until it has been open for a while', () => {
  const world = createWorld();
  const { baseUp, fails, due, opens, steady } = world.happen;
  baseUp?.();
  for (const each of [1, 2, 3]) {
    fails?.();
    expect(world.state().failures).toBe(each);
    due?.();
  }
  opens?.();
  expect(world.state().failures).toBe(3);
  steady?.();
  expect(world.state().failures).toBe(0);
});
