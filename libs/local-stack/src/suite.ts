import { join } from 'node:path';
import { rootDir } from './paths.ts';

/** The ports a program listens on, in the names of its environment variables. */
type PortName = 'HTTP_PORT' | 'ADMIN_PORT' | 'INTERNAL_PORT' | 'SMTP_PORT';

/**
 * A program of the suite: where its bundle is, what it listens on, and what the others call its
 * address.
 */
export interface Program {
  readonly name: string;
  readonly kind: 'service' | 'simulator';
  readonly entry: string;
  readonly listens: readonly PortName[];
  /**
   * Variable under which every service finds this program, and the port and scheme it is made of.
   */
  readonly addresses: Readonly<Record<string, readonly [scheme: 'http' | 'smtp', port: PortName, path?: string]>>;
  /** The port that clients call from outside: its requests carry the address they come from. */
  readonly publicPort?: PortName;
}

/** One process: a program with its ports. */
export interface Member {
  readonly program: Program;
  readonly label: string;
  readonly ports: Readonly<Partial<Record<PortName, number>>>;
}

/** One address in front of all copies of a program. */
export interface Front {
  readonly program: Program;
  readonly name: PortName;
  readonly port: number;
  readonly targets: readonly number[];
}

export interface Layout {
  readonly members: readonly Member[];
  /**
   * One for each port of a program that does not run just once, but for those of administration:
   * they belong to a process.
   */
  readonly fronts: readonly Front[];
}

const service = (name: string, listens: readonly PortName[], addresses: Program['addresses']): Program => ({
  name,
  kind: 'service',
  entry: join(rootDir, 'services', name, 'dist/main.js'),
  listens,
  addresses,
});

const simulator = (name: string, listens: readonly PortName[], addresses: Program['addresses']): Program => ({
  name,
  kind: 'simulator',
  entry: join(rootDir, 'tools/simulators/dist', `${name}.main.js`),
  listens,
  addresses,
});

const usual: readonly PortName[] = ['HTTP_PORT', 'ADMIN_PORT'];

/**
 * Every program of the local suite. Adding one here is all it takes to have it started, watched and
 * found by the others.
 */
export const suitePrograms: readonly Program[] = [
  {
    ...service('gateway', [...usual, 'INTERNAL_PORT'], { GATEWAY_INTERNAL_URL: ['http', 'INTERNAL_PORT'] }),
    publicPort: 'HTTP_PORT',
  },
  service('evidence-intake', usual, { EVIDENCE_INTAKE_URL: ['http', 'HTTP_PORT'] }),
  service('verification-worker', usual, { VERIFICATION_WORKER_URL: ['http', 'HTTP_PORT'] }),
  service('issuing-source-adapter', usual, { ISSUING_SOURCE_ADAPTER_URL: ['http', 'HTTP_PORT'] }),
  service('proof-builder', usual, { PROOF_BUILDER_URL: ['http', 'HTTP_PORT'] }),
  service('notifier', usual, { NOTIFIER_URL: ['http', 'HTTP_PORT'] }),
  simulator('dvs', usual, { DVS_URL: ['http', 'HTTP_PORT'] }),
  simulator('aamva', usual, { AAMVA_URL: ['http', 'HTTP_PORT'] }),
  simulator('chip', usual, { CHIP_URL: ['http', 'HTTP_PORT'] }),
  simulator('mailcatcher', [...usual, 'SMTP_PORT'], {
    SMTP_URL: ['smtp', 'SMTP_PORT'],
    SMS_URL: ['http', 'HTTP_PORT', '/sms'],
  }),
];

/** How many of each program run: `services` of every service, but for those named in `copies`. */
export interface Copies {
  readonly services: number;
  readonly copies?: Readonly<Record<string, number>>;
}

const copiesOf = ({ name, kind }: Program, { services, copies }: Copies): number =>
  copies?.[name] ?? (kind === 'service' ? services : 1);

/** A program that runs not at all has an address as well: where nobody answers. */
const frontPorts = (program: Program, copies: Copies): readonly PortName[] =>
  copiesOf(program, copies) !== 1 ? program.listens.filter((name) => name !== 'ADMIN_PORT') : [];

/** How many ports a suite takes. */
export const portsNeeded = (programs: readonly Program[], copies: Copies): number =>
  programs
    .map((program) => copiesOf(program, copies) * program.listens.length + frontPorts(program, copies).length)
    .reduce((sum, count) => sum + count, 0);

/**
 * Gives each process and each front its ports, in order, so that the same block gives the same
 * ports again. There have to be enough of them.
 */
export const layOut = (programs: readonly Program[], copies: Copies, ports: readonly number[]): Layout => {
  let next = 0;
  const take = (): number => ports[next++]!;
  const members = programs.flatMap((program) => {
    const count = copiesOf(program, copies);
    return Array.from({ length: count }, (_, index) => ({
      program,
      label: count === 1 ? program.name : `${program.name}-${index + 1}`,
      ports: Object.fromEntries(program.listens.map((name) => [name, take()])),
    }));
  });
  const fronts = programs.flatMap((program) =>
    frontPorts(program, copies).map((name) => ({
      program,
      name,
      port: take(),
      targets: members.filter((member) => member.program === program).map((member) => member.ports[name]!),
    })),
  );
  return { members, fronts };
};

const programsOf = ({ members, fronts }: Layout): Set<Program> =>
  new Set([...members, ...fronts].map(({ program }) => program));

/** Where a program is found, whether it runs once or in copies behind a front. */
export const portOf = ({ members, fronts }: Layout, programName: string, port: PortName): number | undefined =>
  fronts.find(({ program, name }) => program.name === programName && name === port)?.port ??
  members.find(({ program }) => program.name === programName)?.ports[port];

/**
 * The variables under which the services find each other; with certificates, the services are
 * called over TLS.
 */
export const addressesOf = (layout: Layout, overTls = false): Record<string, string> =>
  Object.fromEntries(
    [...programsOf(layout)].flatMap((program) =>
      Object.entries(program.addresses).map(([variable, [scheme, port, path = '']]) => [
        variable,
        `${overTls && program.kind === 'service' ? 'https' : scheme}://127.0.0.1:${portOf(layout, program.name, port)}${path}`,
      ]),
    ),
  );
