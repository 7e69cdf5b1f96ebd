import type { Inputs, Measured, MeasuredWorkers } from './inputs.ts';
import { type Limit, type Plan, planFor, REPLICAS } from './plan.ts';

/** The verifications a minute that docs/scaling.md shows. */
const SHOWN = [10, 1000, 100_000] as const;

const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');
const short = (value: number): string => (value < 10 ? value.toFixed(value < 1 ? 2 : 1) : grouped(value));
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const fullest = (limit: Limit | undefined): string =>
  `${limit?.what}: ${short(limit?.load ?? 0)} times what one can do`;

const rowsOf = (plans: readonly Plan[]): [string, (plan: Plan) => string][] => {
  const services = plans[0]?.services.map(({ service }) => service) ?? [];
  const replicasOf = (name: string) => (plan: Plan) => {
    const found = plan.services.find(({ service }) => service === name);
    return `${grouped(found?.replicas ?? 0)} (${short(found?.cores ?? 0)})`;
  };
  return [
    ...services.map((name): [string, (plan: Plan) => string] => [`${name}: replicas (busy cores)`, replicasOf(name)]),
    ['messages published a second', ({ broker }) => short(broker.messagesPerSecond)],
    ['broker: nodes (busy cores)', ({ broker }) => `${broker.nodes} (${short(broker.cores)})`],
    ['parts of the hottest queue', ({ broker }) => `${broker.queues}`],
    ['database: shards of three (busy cores)', ({ database }) => `${database.shards} (${short(database.cores)})`],
    ['commands to the database a second', ({ database }) => grouped(database.commandsPerSecond)],
    ['stored, of each copy', ({ database }) => `${grouped(database.gigabytes)} GB`],
    ['uploads', ({ uploadedMegabytesPerSecond }) => `${short(uploadedMegabytesPerSecond)} MB/s`],
    ['money a month', ({ money }) => `${grouped(money.perMonth)} ${money.currency}`],
    ['money for 1,000 verifications', ({ money }) => `${short(money.perVerification * 1000)} ${money.currency}`],
    ['**the bottleneck**', ({ limits }) => fullest(limits[0])],
    [
      'the first that more replicas do not help',
      ({ limits }) => fullest(limits.find(({ remedy }) => remedy !== REPLICAS)),
    ],
  ];
};

/** The plans side by side. */
export const plansTable = (plans: readonly Plan[]): string =>
  table(
    ['', ...plans.map(({ perMinute }) => `${grouped(perMinute)} a minute`)],
    rowsOf(plans).map(([name, cell]) => [name, ...plans.map(cell)]),
  );

/** Which parts are beyond what one of them can do, the fullest first. */
export const limitsTable = (plans: readonly Plan[]): string => {
  const named = plans.at(-1)?.limits ?? [];
  const loadOf = (plan: Plan, what: string): string =>
    short(plan.limits.find((limit) => limit.what === what)?.load ?? 0);
  return table(
    [
      'load, where 1 is all that one can do',
      ...plans.map(({ perMinute }) => `${grouped(perMinute)} a minute`),
      'beyond 1',
    ],
    named.map(({ what, remedy }) => [what, ...plans.map((plan) => loadOf(plan, what)), remedy]),
  );
};

const measuredTable = ({ perVerification: per }: Measured): string =>
  table(
    ['one verification', 'takes'],
    [
      ...Object.entries(per.processorMs)
        .sort(([, one], [, other]) => other - one)
        .map(([name, ms]) => [`processor of ${name}`, `${grouped(ms)} ms`]),
      ['commands to the database', grouped(per.databaseCommands)],
      ['messages published', grouped(per.messagesPublished)],
      ['requests', grouped(per.requests)],
      ['uploaded', `${grouped(per.uploadedBytes / 1000)} KB`],
      [
        'stored until it closes: media; state',
        `${grouped(per.mediaBytes / 1000)} KB; ${grouped(per.stateBytes / 1000)} KB`,
      ],
    ],
  );

const workersTable = ({ workers, calibratedWith }: MeasuredWorkers): string =>
  table(
    ['workers', 'verifications a minute, predicted', 'measured', 'difference'],
    workers.map(({ workers: count, predicted, measured }) => {
      const isCalibration = count === calibratedWith.workers;
      const difference = `${((predicted / measured - 1) * 100).toFixed(1)} %`;
      return [
        `${count}`,
        isCalibration ? 'calibrates' : predicted.toFixed(1),
        measured.toFixed(1),
        isCalibration ? '' : difference,
      ];
    }),
  );

/** The tables of docs/scaling.md. */
export const pageOf = (measured: Measured, inputs: Inputs, measuredWorkers: MeasuredWorkers): string[] => {
  const plans = SHOWN.map((perMinute) => planFor(perMinute, measured, inputs));
  return [measuredTable(measured), plansTable(plans), limitsTable(plans), workersTable(measuredWorkers)];
};
