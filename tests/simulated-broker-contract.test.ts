import { createBroker } from './simulation/broker/broker.ts';
import { createLines } from './simulation/broker/connection.ts';
import { holdsOfABroker } from './simulation/contracts/broker.ts';
import { createWorld, type World } from './simulation/world/world.ts';

/** With a longer time a timer of Node would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A world whose time is the real time. */
const world: World = {
  ...createWorld(1),
  now: () => Date.now(),
  after: (ms, _process, _label, work) => {
    const timer = setTimeout(work, Math.min(ms, LONGEST_MS)).unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
const faultless = { copies: () => 1, refuses: () => false, isCalm: () => true, latencyMs: () => 1 };
const { connect } = createLines(world, createBroker(world, faultless), faultless);
holdsOfABroker('in memory', () => ({ url: 'amqp://broker', connect: connect as never }));
