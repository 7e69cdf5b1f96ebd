import { SERVICE_NAMES, type ServiceName } from '@assay/http';
import type { Log } from '@assay/runtime';
import type { Process } from '../world/world.ts';
import { PROGRAMS } from './programs.ts';
import type { Stage } from './stage.ts';

/** Runs the six services, each in a process of its own, and starts again what ended. */
export interface Supervisor {
  kill(service: ServiceName): void;
  /** Sets how far a service's clock is off. */
  setClock(service: ServiceName, skewMs: number): void;
  /** Every service is started and serves. */
  isUp(): boolean;
}

const RESTART_MS = 1000;

const logOf = (stage: Stage, service: string, tell: ((line: string) => void) | undefined): Log => {
  const say =
    (level: string) =>
    (line: object): void => {
      const { msg, error } = line as { msg: string; error?: unknown };
      stage.world.note(`${service} ${level} ${msg}`);
      tell?.(
        `${(stage.world.now() / 1000).toFixed(3)} ${service} ${level} ${JSON.stringify(line)} ${error instanceof Error ? error.stack : ''}`,
      );
    };
  return {
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
    debug: () => undefined,
    fatal: say('fatal'),
  } as Log;
};

export const startSuite = (stage: Stage, tell?: (line: string) => void): Supervisor => {
  const { world } = stage;
  const running = new Map<ServiceName, { process: Process; isUp: boolean }>();

  const start = (service: ServiceName): void => {
    const process = world.start(service);
    const state = { process, isUp: false };
    running.set(service, state);
    world.after(0, process, 'starts', () => {
      PROGRAMS[service](stage, logOf(stage, service, tell)).then(
        () => {
          state.isUp = true;
          world.note(`${service} is up`);
        },
        (error: unknown) => {
          tell?.(`${service} could not start: ${error instanceof Error ? error.stack : String(error)}`);
          end(service);
        },
      );
    });
  };
  const end = (service: ServiceName): void => {
    const state = running.get(service);
    if (!state?.process.isAlive) return;
    state.isUp = false;
    world.kill(state.process);
    world.after(RESTART_MS + world.random.next() * 5000, undefined, `${service} is started again`, () =>
      start(service),
    );
  };
  for (const service of SERVICE_NAMES) start(service);
  const setClock: Supervisor['setClock'] = (service, skewMs) => {
    const state = running.get(service);
    if (state) state.process.skewMs = skewMs;
  };
  return { kill: end, setClock, isUp: () => [...running.values()].every(({ isUp }) => isUp) };
};
