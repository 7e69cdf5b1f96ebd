import { createServer } from 'node:http';
import type { Express } from 'express';
import mongoose from 'mongoose';
import { type Broker, createBroker } from '../broker/broker.ts';
import { type BrokerLines, createLines, PURPOSES } from '../broker/connection.ts';
import type { Faults } from '../faults.ts';
import { type Carry, createServer as createStore, type Store, useSimulatedStore } from '../store/driver.ts';
import { createNet, type Net } from '../world/net.ts';
import type { World } from '../world/world.ts';
import { createRunKeys, type RunKeys } from './master-keys.ts';

/** The simulated surroundings of the services: store, broker and connections. */
export interface Stage {
  world: World;
  faults: Faults;
  store: Store;
  broker: Broker;
  lines: BrokerLines;
  net: Net;
  masterKeys: RunKeys;
  /** Serves an application under a host name, in the process whose code runs now. */
  serve(host: string, app: Express): void;
  /** The process with this name loses its store for some seconds. */
  loseStore(name: string): void;
  /** A service cannot publish, or cannot consume, for up to two and a half minutes. */
  loseBroker(service: string): void;
}

const EXPIRED_EVERY_MS = 60_000;
const { MongoNetworkError, MongoServerError } = mongoose.mongo;
const lost = (command: string): Error => new MongoNetworkError(`connection closed: ${command}`);
/** NotWritablePrimary, a quota, Unauthorized, OutOfDiskSpace, ShutdownInProgress. */
const REFUSALS = [10107, 8000, 13, 14031, 91];

/**
 * The error of a refused command: in half of the cases only a closed connection, which does not say
 * that the command was refused.
 */
const refused = ({ random }: World, command: string): Error =>
  random.next() < 0.5
    ? lost(command)
    : new MongoServerError({ message: `refused: ${command}`, code: random.pick(REFUSALS) });

/** Until when a process has no store, by process. */
type Away = Map<string, number>;
const LONGEST_AWAY_MS = 12_000;
/** A consumer tries to settle a message for about 70 seconds. */
const LONGEST_WITHOUT_BROKER_MS = 150_000;

/** Carries the commands of the process whose code runs now to the store, and the replies back. */
const carrying = (world: World, faults: Faults, away: Away): Carry => {
  const process = world.current();
  const isAway = (): boolean => !faults.isCalm() && (away.get(process?.name ?? '') ?? 0) > world.now();
  // A command on its way when the connection breaks may still take effect.
  const isRefused = (): boolean => (isAway() ? world.random.next() < 0.7 : faults.strikes('storeRefuses'));
  const losesReply = (): boolean => isAway() || faults.strikes('storeLosesReply');
  const delay = (): number =>
    faults.strikes('storeIsSlow') ? 200 + world.random.next() * 6000 : 0.1 + world.random.next() ** 3 * 2;
  return (command, work) =>
    new Promise((resolve, reject) => {
      const back = (label: string, settle: () => void) => world.after(delay(), process, `${command} ${label}`, settle);
      if (isRefused()) {
        const error = refused(world, command);
        back('fails', () => reject(error));
        return;
      }
      // Once sent, a command takes effect even if its sender dies.
      world.after(delay(), undefined, command, () => {
        const { error, value } = outcomeOf(work);
        if (losesReply()) back('without a reply', () => reject(lost(command)));
        else if (error) back('refused', () => reject(error));
        else back('done', () => resolve(value as never));
      });
    });
};

const outcomeOf = <T>(work: () => T): { value?: T; error?: unknown } => {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
};

export const createStage = (world: World, faults: Faults, copies: number): Stage => {
  const store = createStore();
  const away: Away = new Map();
  const expire = (): void => {
    store.expire(new Date(world.now()));
    world.after(EXPIRED_EVERY_MS, undefined, 'what is over expires', expire);
  };
  world.after(EXPIRED_EVERY_MS, undefined, 'what is over expires', expire);
  useSimulatedStore(() => ({ server: store, carry: carrying(world, faults, away) }));
  const broker = createBroker(world, {
    copies: (exchange) => {
      if (faults.strikes('brokerLoses')) return 0;
      if (faults.strikes('brokerDoubles')) return 2;
      return exchange === '' || faults.isCalm() ? 1 : copies;
    },
  });
  const { latencyMs } = faults;
  const { isCalm } = faults;
  const lines = createLines(world, broker, { refuses: () => faults.strikes('brokerRefuses'), isCalm, latencyMs });
  const net = createNet(world, { refuses: () => faults.strikes('callRefused'), latencyMs });
  return {
    ...{ world, faults, store, broker, lines, net, masterKeys: createRunKeys() },
    loseStore: (name) => void away.set(name, world.now() + world.random.next() * LONGEST_AWAY_MS),
    loseBroker: (service) => {
      const purpose = world.random.pick([...PURPOSES]);
      lines.lose(service, purpose, world.random.next() ** 0.5 * LONGEST_WITHOUT_BROKER_MS);
    },
    serve: (host, app) => net.serve(host, world.current(), createServer(app)),
  };
};
