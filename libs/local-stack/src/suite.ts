import { join } from 'node:path';
import { rootDir } from './paths.ts';

/** The ports a program listens on, in the names of its environment variables. */
type PortName = 'HTTP_PORT' | 'ADMIN_PORT' | 'INTERNAL_PORT' | 'SMTP_PORT';

/** A program of the suite: where its bundle is, what it listens on, and what the others call its address. */
export interface Program {
  readonly name: string;
  readonly kind: 'service' | 'simulator';
  readonly entry: string;
  readonly listens: readonly PortName[];
  /** Variable under which every service finds this program, and the port and scheme it is made of. */
  readonly addresses: Readonly<Record<string, readonly [scheme: 'http' | 'smtp', port: PortName, path?: string]>>;
}

/** One process: a program with its ports. */
export interface Member {
  readonly program: Program;
  readonly label: string;
  readonly ports: Readonly<Partial<Record<PortName, number>>>;
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

/** Every program of the local suite. Adding one here is all it takes to have it started, watched and found by the others. */
export const suitePrograms: readonly Program[] = [
  service('gateway', [...usual, 'INTERNAL_PORT'], { GATEWAY_INTERNAL_URL: ['http', 'INTERNAL_PORT'] }),
  service('evidence-intake', usual, { EVIDENCE_INTAKE_URL: ['http', 'HTTP_PORT'] }),
  service('verification-worker', usual, { VERIFICATION_WORKER_URL: ['http', 'HTTP_PORT'] }),
  service('issuing-source-adapter', usual, { ISSUING_SOURCE_ADAPTER_URL: ['http', 'HTTP_PORT'] }),
  service('proof-builder', usual, { PROOF_BUILDER_URL: ['http', 'HTTP_PORT'] }),
  service('notifier', usual, { NOTIFIER_URL: ['http', 'HTTP_PORT'] }),
  simulator('dvs', usual, { DVS_URL: ['http', 'HTTP_PORT'] }),
  simulator('aamva', usual, { AAMVA_URL: ['http', 'HTTP_PORT'] }),
  simulator('mailcatcher', [...usual, 'SMTP_PORT'], {
    SMTP_URL: ['smtp', 'SMTP_PORT'],
    SMS_URL: ['http', 'HTTP_PORT', '/sms'],
  }),
];

/**
 * Gives each process its ports, in order, so that the same block gives the same ports again. `copies` says how many of a program run.
 * @throws when the block is too small
 */
export const layOut = (
  programs: readonly Program[],
  copies: Readonly<Record<string, number>>,
  ports: readonly number[],
): readonly Member[] => {
  let next = 0;
  const take = (): number => {
    const port = ports[next++];
    if (port === undefined) throw new Error('too many processes for one block of ports: ask for fewer workers');
    return port;
  };
  return programs.flatMap((program) => {
    const count = copies[program.name] ?? 1;
    return Array.from({ length: count }, (_, index) => ({
      program,
      label: count === 1 ? program.name : `${program.name}-${index + 1}`,
      ports: Object.fromEntries(program.listens.map((name) => [name, take()])),
    }));
  });
};

/** The variables under which the services find each other; the first copy of a program stands for all. */
export const addressesOf = (members: readonly Member[]): Record<string, string> =>
  Object.fromEntries(
    [...members]
      .reverse()
      .flatMap(({ program, ports }) =>
        Object.entries(program.addresses).map(([variable, [scheme, port, path = '']]) => [
          variable,
          `${scheme}://127.0.0.1:${ports[port]}${path}`,
        ]),
      ),
  );
