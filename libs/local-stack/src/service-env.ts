import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Address } from './engine.ts';
import type { RunDir } from './run-dir.ts';
import { apiPrefixes } from './stack-file.ts';
import { addressesOf, type Member } from './suite.ts';

export interface EnvInput {
  readonly run: RunDir;
  readonly engines: { readonly mongodb: Address; readonly rabbitmq: Address };
  readonly members: readonly Member[];
}

/** Enough engine processes for the machine, shared out among the workers. */
const engineProcesses = (members: readonly Member[]): number => {
  const workers = members.filter(({ program }) => program.name === 'verification-worker').length;
  return Math.max(1, Math.floor(availableParallelism() / Math.max(1, workers)));
};

/** What the npm that started us and the tests that run beside us have set is no business of a service. */
const inherited = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(npm_|JEST_|TEST_|NODE_OPTIONS$)/.test(name)));

/** On servers that are not ours alone, names of this run directory's own keep suites apart. */
const namesApart = ({ dir }: RunDir, { mongodb, rabbitmq }: EnvInput['engines']): Record<string, string> => {
  const id = createHash('sha256').update(dir).digest('hex').slice(0, 8);
  return {
    ...(mongodb.kind === 'external' && { DB_PREFIX: `assay_${id}_` }),
    ...(rabbitmq.kind === 'external' && { BUS_NAMESPACE: `${id}.` }),
  };
};

/** The environment of one process of the suite. What the caller has set in `env` under the names of tuning switches is kept. */
export const envOf = (member: Member, input: EnvInput, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => {
  const { run, engines, members } = input;
  return {
    LOG_LEVEL: 'info',
    ENGINE_PROCESSES: String(engineProcesses(members)),
    ...inherited(env),
    ASSAY_ENV: 'local',
    SERVICE_NAME: member.program.name,
    HTTP_HOST: '127.0.0.1',
    ADMIN_HOST: '127.0.0.1',
    MONGO_URL: engines.mongodb.nearUrl ?? engines.mongodb.url,
    AMQP_URL: engines.rabbitmq.url,
    ...namesApart(run, engines),
    INTERNAL_SECRET: run.internalSecret,
    MASTER_KEY: run.masterKey,
    API_PREFIX: apiPrefixes.join(','),
    SEED_FILE: run.seedFile,
    CRASH_DIR: run.crashDir,
    DATA_DIR: run.recordsDir,
    TMPDIR: run.tempDir,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8,::1/128',
    ...addressesOf(members),
    ...Object.fromEntries(Object.entries(member.ports).map(([name, port]) => [name, String(port)])),
  };
};
