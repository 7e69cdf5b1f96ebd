import { createHmac } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@assay/contracts';
import type { Address } from './engine.ts';
import { namesApart } from './names-apart.ts';
import type { RunDir } from './run-dir.ts';
import { apiPrefixes } from './stack-file.ts';
import { addressesOf, type Layout, type Member } from './suite.ts';

export interface EnvInput {
  readonly run: RunDir;
  readonly engines: { readonly mongodb: Address; readonly rabbitmq: Address };
  readonly layout: Layout;
}

/** Enough engine processes for the machine, shared out among the workers. */
const engineProcesses = (members: readonly Member[]): number => {
  const workers = members.filter(({ program }) => program.name === 'verification-worker').length;
  return Math.max(1, Math.floor(availableParallelism() / Math.max(1, workers)));
};

/**
 * What the npm that started us and the tests that run beside us have set is no business of a
 * service, nor is where the engines are of a simulator.
 */
const inherited = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(npm_|JEST_|TEST_|NODE_OPTIONS$|MONGODB_URI$|AMQP_URL$)/.test(name)),
  );

/**
 * Addresses under which the caller wants the programs to find each other instead of their own:
 * those of proxies in between. JSON, by variable.
 */
const givenAddresses = ({ SUITE_ADDRESSES }: NodeJS.ProcessEnv): Record<string, string> =>
  SUITE_ADDRESSES ? (JSON.parse(SUITE_ADDRESSES) as Record<string, string>) : {};

/** The services that seal under a key of their own (decision 24). */
const SEALING: readonly string[] = ['gateway', 'proof-builder', 'notifier'] satisfies ServiceName[];

/** Each of them has another one: what one of them stores is closed to the others. */
const sealingKeyOf = (service: string, masterKey: string): string =>
  createHmac('sha256', Buffer.from(masterKey, 'base64')).update(service).digest('base64');

/**
 * The environment of one process of the suite. What the caller has set in `env` under the names of
 * tuning switches is kept.
 */
export const envOf = (member: Member, input: EnvInput, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => {
  const { run, engines, layout } = input;
  const names = namesApart(run, engines);
  return {
    LOG_LEVEL: 'info',
    ENGINE_PROCESSES: String(engineProcesses(layout.members)),
    ...inherited(env),
    // The fronts pass over a process that refuses. A caller may put a balancer before the gateways.
    STOP_DELAY_MS: (member.program.publicPort && env.STOP_DELAY_MS) || '0',
    ASSAY_ENV: 'local',
    SERVICE_NAME: member.program.name,
    HTTP_HOST: '127.0.0.1',
    ADMIN_HOST: '127.0.0.1',
    ...(member.program.kind === 'service' && {
      MONGO_URL: engines.mongodb.nearUrl ?? engines.mongodb.url,
      AMQP_URL: engines.rabbitmq.url,
      DB_PREFIX: names.databases,
      BUS_NAMESPACE: names.queues,
      INTERNAL_KEYS: run.internalKeys[member.program.name],
    }),
    ...(SEALING.includes(member.program.name) && { MASTER_KEY: sealingKeyOf(member.program.name, run.masterKey) }),
    API_PREFIX: apiPrefixes.join(','),
    SEED_FILE: run.seedFile,
    STACK_FILE: join(run.dir, 'stack.json'),
    // Each point looks for a file there, several at every message: for who means to have processes
    // killed.
    CRASH_DIR: env.CRASH_POINTS === '1' ? run.crashDir : undefined,
    DATA_DIR: run.recordsDir,
    TRUST_SEED_FILE: join(run.recordsDir, 'chip-csca.pem'),
    TMPDIR: run.tempDir,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8,::1/128',
    ...addressesOf(layout, env.TLS_CERT_FILE !== undefined),
    ...givenAddresses(env),
    // The front says who calls.
    ...(layout.fronts.some(({ program }) => program === member.program && program.publicPort) && {
      TRUSTED_PROXIES: '127.0.0.1',
    }),
    ...Object.fromEntries(Object.entries(member.ports).map(([name, port]) => [name, String(port)])),
  };
};
