import { present } from '@assay/contracts';
import type { Address } from './engine.ts';
import { namesApart } from './names-apart.ts';
import type { RunDir } from './run-dir.ts';
import { type Layout, portOf } from './suite.ts';

interface ServiceAddress {
  readonly pid?: number;
  readonly adminUrl: string;
  readonly internalUrl: string;
  readonly publicUrl?: string;
}

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
  /** The prefix of the names of databases and queues. */
  readonly names: Readonly<Record<'databases' | 'queues', string>>;
  readonly logDir: string;
  readonly dataDir: string;
  readonly simulators: Readonly<Record<string, string>>;
  readonly mailcatcher?: string;
  /**
   * `internalUrl`: where the other services call it; `publicUrl`: where a load balancer calls this
   * process, if clients call the service.
   */
  readonly services: Readonly<Record<string, readonly ServiceAddress[]>>;
  /** Every process of the suite by its label, simulators included. */
  readonly processes: Readonly<Record<string, number | undefined>>;
  readonly infrastructure: Readonly<Record<'mongodb' | 'rabbitmq', { pid?: number }>>;
}

/** Where a Prometheus finds the services of a suite, as its `file_sd_configs` reads it. */
export const targetsOf = ({ services }: Pick<StackFile, 'services'>) =>
  Object.entries(services).map(([service, replicas]) => ({
    targets: replicas.map(({ adminUrl }) => new URL(adminUrl).host),
    labels: { service },
  }));

/** The first segment of the service's paths, and the second one this stack serves as well. */
export const apiPrefixes = ['svc', 'gips'] as const;

const at = (port: number | undefined): string => `http://127.0.0.1:${port}`;

const tenantKeys = (keys: RunDir['seed']['tenants'][number]['keys']) => ({
  relyingService: keys.RELYING_SERVICE,
  userAgent: keys.USER_AGENT,
  operator: keys.OPERATOR,
});

/** Describes a suite; `pidOf` knows the process of each member and engine at this moment. */
export const describeStack = (
  run: RunDir,
  engines: { readonly mongodb: Address; readonly rabbitmq: Address },
  layout: Layout,
  pidOf: (label: string) => number | undefined,
): StackFile => {
  const { members } = layout;
  const [tenant, second] = run.seed.tenants;
  const services: Record<string, ServiceAddress[]> = {};
  for (const { program, label, ports } of members.filter((member) => member.program.kind === 'service')) {
    services[program.name] ??= [];
    services[program.name]?.push({
      ...present({ pid: pidOf(label) }),
      adminUrl: at(ports.ADMIN_PORT),
      internalUrl: at(ports.INTERNAL_PORT ?? ports.HTTP_PORT),
      ...(program.publicPort && { publicUrl: at(ports[program.publicPort]) }),
    });
  }
  // One that does not run at all has a front alone.
  for (const { program } of layout.fronts.filter((front) => front.program.kind === 'service'))
    services[program.name] ??= [];
  const addressOf = (name: string): string | undefined => {
    const port = portOf(layout, name, 'HTTP_PORT');
    return port === undefined ? undefined : at(port);
  };
  const simulators = members.filter(({ program }) => program.kind === 'simulator' && program.name !== 'mailcatcher');
  return {
    ...present({ baseUrl: addressOf('gateway') }),
    apiPrefix: apiPrefixes[0],
    tenantId: tenant.tenantId,
    keys: { ...tenantKeys(tenant.keys), admin: run.seed.administrator },
    secondTenant: { tenantId: second.tenantId, keys: tenantKeys(second.keys) },
    amqpUrl: engines.rabbitmq.url,
    mongoUrl: engines.mongodb.url,
    names: namesApart(run, engines),
    logDir: run.logDir,
    dataDir: run.dataDir,
    simulators: Object.fromEntries(simulators.map(({ program, ports }) => [program.name, at(ports.HTTP_PORT)])),
    ...present({ mailcatcher: addressOf('mailcatcher') }),
    services,
    processes: Object.fromEntries(members.map(({ label }) => [label, pidOf(label)])),
    infrastructure: {
      mongodb: present({ pid: pidOf('mongodb') }),
      rabbitmq: present({ pid: pidOf('rabbitmq') }),
    },
  };
};
