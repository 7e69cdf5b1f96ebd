import type { Inputs, Measured } from './inputs.ts';

/** What helps a service that is full. */
export const REPLICAS = 'more replicas';

const ENGINES = ['mongodb', 'rabbitmq'];
const HOURS_OF_MONTH = 730;
const SECONDS_OF_DAY = 86_400;
const GIGABYTE = 1e9;
/** Each message is on three nodes. */
const COPIES = 3;

interface ServicePlan {
  service: string;
  /** Busy cores, on average. */
  cores: number;
  replicas: number;
}

/** A part of which there is one at first: how much of what one can do is asked of it. */
export interface Limit {
  what: string;
  /** 1 is all that one can do. */
  load: number;
  /** What helps beyond that. */
  remedy: string;
}

export interface Plan {
  perMinute: number;
  services: ServicePlan[];
  broker: { messagesPerSecond: number; cores: number; nodes: number; hottestQueue: string; queues: number };
  database: { commandsPerSecond: number; cores: number; gigabytes: number; shards: number; members: number };
  uploadedMegabytesPerSecond: number;
  /** The fullest first. */
  limits: Limit[];
  money: { currency: string; compute: number; storage: number; perMonth: number; perVerification: number };
}

const figureFor = (by: Record<string, number>, service: string): number => by[service] ?? by.others ?? 1;

const servicesOf = ({ processorMs }: Measured['perVerification'], perSecond: number, inputs: Inputs): ServicePlan[] =>
  Object.entries(processorMs)
    .filter(([name]) => !ENGINES.includes(name))
    .map(([service, ms]) => {
      const cores = (perSecond * ms) / 1000;
      const wanted = Math.ceil(cores / inputs.utilisation / figureFor(inputs.coresOfReplica, service));
      return { service, cores, replicas: Math.max(inputs.leastReplicas, wanted) };
    })
    .sort((one, other) => other.cores - one.cores);

const brokerOf = (per: Measured['perVerification'], perSecond: number, inputs: Inputs): Plan['broker'] => {
  const [hottestQueue = '', messages = 0] =
    Object.entries(per.messagesByQueue).sort(([, one], [, other]) => other - one)[0] ?? [];
  const cores = (perSecond * (per.processorMs.rabbitmq ?? 0)) / 1000;
  const nodes = Math.ceil((cores * COPIES) / inputs.utilisation / inputs.brokerCoresOfNode);
  const queues = Math.max(1, Math.ceil((perSecond * messages) / inputs.utilisation / inputs.queueMessagesPerSecond));
  return {
    messagesPerSecond: perSecond * per.messagesPublished,
    cores,
    hottestQueue,
    queues,
    nodes: Math.max(inputs.brokerNodes, nodes),
  };
};

const databaseOf = (per: Measured['perVerification'], perSecond: number, inputs: Inputs): Plan['database'] => {
  const cores = (perSecond * (per.processorMs.mongodb ?? 0)) / 1000;
  const open = (per.mediaBytes + per.stateBytes) * perSecond * inputs.hoursOpen * 3600;
  const logs = inputs.logBytes * perSecond * inputs.daysOfLogs * SECONDS_OF_DAY;
  const gigabytes = (open + logs) / GIGABYTE;
  const byCores = Math.ceil(cores / inputs.utilisation / inputs.shardCores);
  const shards = Math.max(1, byCores, Math.ceil(gigabytes / inputs.utilisation / inputs.shardGigabytes));
  return {
    commandsPerSecond: perSecond * per.databaseCommands,
    cores,
    gigabytes,
    shards,
    members: shards * inputs.shardMembers,
  };
};

type Sized = Pick<Plan, 'services' | 'broker' | 'database'>;

const limitsOf = (per: Measured['perVerification'], perSecond: number, inputs: Inputs, sized: Sized): Limit[] => {
  const { services, broker, database } = sized;
  const replicas = services.reduce((sum, service) => sum + service.replicas, 0);
  const one = inputs.utilisation;
  const share = (load: number, capacity: number): number => load / (capacity * one);
  return [
    ...services.map(({ service, cores }) => ({
      what: `processor of one ${service}`,
      load: share(cores, figureFor(inputs.coresOfReplica, service)),
      remedy: REPLICAS,
    })),
    {
      what: `queue ${broker.hottestQueue}`,
      load: share(perSecond * (per.messagesByQueue[broker.hottestQueue] ?? 0), inputs.queueMessagesPerSecond),
      remedy: 'several installations, by tenant (decision 36)',
    },
    {
      what: 'processors of a broker of three nodes',
      load: share(broker.cores * COPIES, inputs.brokerCoresOfNode * inputs.brokerNodes),
      remedy: 'more nodes',
    },
    { what: 'processor of one shard', load: share(database.cores, inputs.shardCores), remedy: 'shards: not tried' },
    {
      what: 'disk of one shard',
      load: share(database.gigabytes, inputs.shardGigabytes),
      remedy: 'shards, or an object store for media',
    },
    {
      what: 'connections to one database server',
      load: share(replicas * inputs.connectionsOfReplica, inputs.databaseConnections),
      remedy: 'smaller pools, or several routers of the database',
    },
    {
      what: 'answers of one issuing source',
      load: (perSecond * inputs.issuerShare) / inputs.issuerAnswersPerSecond,
      remedy: 'an agreement with the source: nothing here helps',
    },
  ].sort((a, b) => b.load - a.load);
};

/** A node of an engine has two cores at least. */
const LEAST_CORES = 2;
const GIGABYTES_OF_ENGINE_CORE = 4;

const moneyOf = ({ services, broker, database }: Sized, perMinute: number, inputs: Inputs): Plan['money'] => {
  const { currency, coreHour, gigabyteHour, storedGigabyteMonth } = inputs.prices;
  const ofReplicas = (by: Record<string, number>): number =>
    services.reduce((sum, { service, replicas }) => sum + replicas * figureFor(by, service), 0);
  // Every node of a queue or a shard does the same work.
  const coresOf = (cores: number, nodes: number, copies: number): number =>
    Math.max(LEAST_CORES * nodes, (cores * copies) / inputs.utilisation);
  const engineCores =
    coresOf(database.cores, database.members, inputs.shardMembers) + coresOf(broker.cores, broker.nodes, COPIES);
  const cores = ofReplicas(inputs.coresOfReplica) + engineCores;
  const memory = ofReplicas(inputs.gigabytesOfReplica) + engineCores * GIGABYTES_OF_ENGINE_CORE;
  const compute = (cores * coreHour + memory * gigabyteHour) * HOURS_OF_MONTH;
  const storage = (database.gigabytes / inputs.utilisation) * inputs.shardMembers * storedGigabyteMonth;
  const perMonth = compute + storage;
  return { currency, compute, storage, perMonth, perVerification: perMonth / (perMinute * 60 * HOURS_OF_MONTH) };
};

/** What an installation for so many verifications a minute, day and night, takes. Pure. */
export const planFor = (perMinute: number, { perVerification: per }: Measured, inputs: Inputs): Plan => {
  const perSecond = perMinute / 60;
  const sized = {
    services: servicesOf(per, perSecond, inputs),
    broker: brokerOf(per, perSecond, inputs),
    database: databaseOf(per, perSecond, inputs),
  };
  return {
    perMinute,
    ...sized,
    uploadedMegabytesPerSecond: (perSecond * per.uploadedBytes) / 1e6,
    limits: limitsOf(per, perSecond, inputs, sized),
    money: moneyOf(sized, perMinute, inputs),
  };
};
