import { SERVICE_NAMES, type ServiceName } from '@assay/http';
import type { Log } from '@assay/runtime';
import type { Process } from '../world/world.ts';
import { PROGRAMS } from './programs.ts';
import type { Stage } from './stage.ts';

/** Runs each process of the services, and restarts those that ended. */
export interface Supervisor {
  /** Ends one of the processes of a service. */
  kill(service: ServiceName): void;
  /** Sets how far the clock of a service's processes is off, including future processes. */
  setClock(service: ServiceName, skewMs: number): void;
  /** Whether every process has started and serves. */
  isUp(): boolean;
}

const RESTART_MS = 1000;

const logOf = (stage: Stage, service: string, print: ((line: string) => void) | undefined): Log => {
  const say =
    (level: string) =>
    (line: object): void => {
      const { msg, error } = line as { msg: string; error?: unknown };
      stage.world.note(`${service} ${level} ${msg}`);
      print?.(
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

interface Member {
  service: ServiceName;
  /** The name of its processes. */
  name: string;
  process?: Process;
  isUp: boolean;
  skewMs: number;
}

const membersOf = (doubled: readonly ServiceName[]): Member[] =>
  SERVICE_NAMES.flatMap((service) => [
    { service, name: service, isUp: false, skewMs: 0 },
    ...(doubled.includes(service) ? [{ service, name: `${service}-2`, isUp: false, skewMs: 0 }] : []),
  ]);

/** Starts one process of every service, and two of the doubled ones. */
export const startSuite = (
  stage: Stage,
  doubled: readonly ServiceName[],
  print?: (line: string) => void,
): Supervisor => {
  const { world } = stage;
  const members = membersOf(doubled);

  const start = (member: Member): void => {
    const { service, name } = member;
    const process = world.start(name);
    process.skewMs = member.skewMs;
    Object.assign(member, { process, isUp: false });
    world.after(0, process, 'starts', () => {
      PROGRAMS[service](stage, logOf(stage, name, print)).then(
        () => {
          if (member.process !== process) return;
          member.isUp = true;
          world.note(`${name} is up`);
        },
        (error: unknown) => {
          print?.(`${name} could not start: ${error instanceof Error ? error.stack : String(error)}`);
          if (member.process === process) end(member);
        },
      );
    });
  };
  const end = (member: Member): void => {
    if (!member.process?.isAlive) return;
    member.isUp = false;
    world.kill(member.process);
    const pauseMs = RESTART_MS + world.random.next() * 5000;
    world.after(pauseMs, undefined, `${member.name} is started again`, () => start(member));
  };
  for (const member of members) start(member);
  const membersOfService = (service: ServiceName): Member[] => members.filter((member) => member.service === service);
  return {
    kill: (service) => end(world.random.pick(membersOfService(service))),
    setClock: (service, skewMs) => {
      for (const member of membersOfService(service)) {
        member.skewMs = skewMs;
        if (member.process) member.process.skewMs = skewMs;
      }
    },
    isUp: () => members.every(({ isUp }) => isUp),
  };
};
