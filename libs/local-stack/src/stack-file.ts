import type { Address } from './engine.ts';
import type { RunDir } from './run-dir.ts';
import type { Member } from './suite.ts';

/** What `stack.json` says of a running suite; other programs read it, so its names stay. */
export interface StackFile {
  readonly baseUrl?: string;
  readonly apiPrefix: string;
  readonly tenantId: string;
  readonly keys: Readonly<Record<'relyingService' | 'userAgent' | 'operator' | 'admin', string>>;
  readonly secondTenant: {
    readonly tenantId: string;
    readonly keys: Readonly<Record<'relyingService' | 'userAgent' | 'operator', string>>;
  };
  readonly amqpUrl: string;
  readonly mongoUrl: string;
  readonly logDir: string;
  readonly dataDir: string;
  readonly simulators: Readonly<Record<string, string>>;
  readonly mailcatcher?: string;
  readonly services: Readonly<Record<string, readonly { pid?: number; adminUrl: string }[]>>;
  /** Every process of the suite by its label, simulators included. */
  readonly processes: Readonly<Record<string, number | undefined>>;
  readonly infrastructure: Readonly<Record<'mongodb' | 'rabbitmq', { pid?: number }>>;
}

/** The first segment of the service's paths, and the second one this stack serves as well. */
export const apiPrefixes = ['svc', 'gips'] as const;

const at = (port: number | undefined): string => `http://127.0.0.1:${port}`;

const withPid = (pid: number | undefined): { pid?: number } => (pid === undefined ? {} : { pid });

const tenantKeys = (keys: RunDir['seed']['tenants'][number]['keys']) => ({
  relyingService: keys.RELYING_SERVICE,
  userAgent: keys.USER_AGENT,
  operator: keys.OPERATOR,
});

/** Describes a suite; `pidOf` knows the process of each member and engine at this moment. */
export const describeStack = (
  run: RunDir,
  engines: { readonly mongodb: Address; readonly rabbitmq: Address },
  members: readonly Member[],
  pidOf: (label: string) => number | undefined,
): StackFile => {
  const [tenant, second] = run.seed.tenants;
  const services: Record<string, { pid?: number; adminUrl: string }[]> = {};
  for (const { program, label, ports } of members.filter((member) => member.program.kind === 'service')) {
    services[program.name] ??= [];
    services[program.name]?.push({ ...withPid(pidOf(label)), adminUrl: at(ports.ADMIN_PORT) });
  }
  const addressOf = (name: string): string | undefined => {
    const member = members.find(({ program }) => program.name === name);
    return member && at(member.ports.HTTP_PORT);
  };
  const baseUrl = addressOf('gateway');
  const mailcatcher = addressOf('mailcatcher');
  const simulators = members.filter(({ program }) => program.kind === 'simulator' && program.name !== 'mailcatcher');
  return {
    ...(baseUrl && { baseUrl }),
    apiPrefix: apiPrefixes[0],
    tenantId: tenant.tenantId,
    keys: { ...tenantKeys(tenant.keys), admin: run.seed.administrator },
    secondTenant: { tenantId: second.tenantId, keys: tenantKeys(second.keys) },
    amqpUrl: engines.rabbitmq.url,
    mongoUrl: engines.mongodb.url,
    logDir: run.logDir,
    dataDir: run.dataDir,
    simulators: Object.fromEntries(simulators.map(({ program, ports }) => [program.name, at(ports.HTTP_PORT)])),
    ...(mailcatcher && { mailcatcher }),
    services,
    processes: Object.fromEntries(members.map(({ label }) => [label, pidOf(label)])),
    infrastructure: { mongodb: withPid(pidOf('mongodb')), rabbitmq: withPid(pidOf('rabbitmq')) },
  };
};
