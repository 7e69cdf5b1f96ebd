import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What one verification took when it was measured (`npm run bench:verification`). */
export interface Measured {
  measuredAt: string;
  command: string;
  machine: string;
  verification: string;
  perVerification: {
    /** Of each service with its processes for images, and of both engines. */
    processorMs: Record<string, number>;
    databaseCommands: number;
    messagesPublished: number;
    messagesByQueue: Record<string, number>;
    requests: number;
    uploadedBytes: number;
    /** What is stored until the identity closes. */
    mediaBytes: number;
    stateBytes: number;
  };
}

/**
 * How many verifications so many workers got through, predicted and measured (`npm run
 * bench:workers`).
 */
export interface MeasuredWorkers {
  measuredAt: string;
  machine: string;
  clients: number;
  calibratedWith: { workers: number };
  workers: { workers: number; predicted: number; measured: number }[];
}

/** What nobody measured: limits of parts, times, prices. */
export interface Inputs {
  /** The share of its processor time a part is planned to use. */
  utilisation: number;
  leastReplicas: number;
  coresOfReplica: Record<string, number>;
  gigabytesOfReplica: Record<string, number>;
  /** Messages a second that one quorum queue of three replicas takes and gives. */
  queueMessagesPerSecond: number;
  brokerCoresOfNode: number;
  /** Nodes of one cluster: each queue is on three of them. */
  brokerNodes: number;
  /** Of the primary of a shard. */
  shardCores: number;
  shardGigabytes: number;
  shardMembers: number;
  /** Most connections of one process to one database. */
  connectionsOfReplica: number;
  databaseConnections: number;
  /** From the submission to the closing. */
  hoursOpen: number;
  daysOfLogs: number;
  /**
   * What stays of a closed identity for `daysOfLogs`: tombstones, deliveries, lines of the audit
   * log.
   */
  logBytes: number;
  /** Of the verifications, how many are asked of an issuing source, and what that answers. */
  issuerShare: number;
  issuerAnswersPerSecond: number;
  prices: { currency: string; coreHour: number; gigabyteHour: number; storedGigabyteMonth: number };
}

const folder = join(import.meta.dirname, '..');
const MEASURED_FILE = join(folder, 'measured/verification.json');
const WORKERS_FILE = join(folder, 'measured/workers.json');
const INPUTS_FILE = join(folder, 'inputs.json');

/** Members that are named after services and queues, each with a number. */
const OPEN = ['coresOfReplica', 'gigabytesOfReplica', 'processorMs', 'messagesByQueue'];
type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a file should have as ours has it, and does not, by its path. */
const lackingIn = (given: unknown, ours: Members, path = ''): string[] =>
  Object.entries(ours).flatMap(([name, own]) => {
    const found = isObject(given) ? given[name] : undefined;
    const at = `${path}${name}`;
    if (OPEN.includes(name))
      return isObject(found) && Object.values(found).every((each) => typeof each === 'number') ? [] : [at];
    if (name === 'about') return [];
    if (isObject(own)) return lackingIn(found, own, `${at}.`);
    return typeof found === typeof own ? [] : [at];
  });

/** JSON of a file that the user named, from where they are; in the form of ours. */
const given = <T>(file: string, ours: string): T => {
  const text = readFileSync(resolve(process.env.INIT_CWD ?? '.', file), 'utf8');
  const read = JSON.parse(text) as T;
  const lacking = lackingIn(read, JSON.parse(readFileSync(ours, 'utf8')) as Members);
  if (lacking.length > 0) throw new Error(`${file} lacks, or has otherwise than ${ours}: ${lacking.join(', ')}`);
  return read;
};

/** @throws when the file cannot be read, is no JSON, or has another form than ours */
export const readMeasured = (file = MEASURED_FILE): Measured => given(file, MEASURED_FILE);
/** @throws as the other one */
export const readInputs = (file = INPUTS_FILE): Inputs => given(file, INPUTS_FILE);
export const readMeasuredWorkers = (): MeasuredWorkers =>
  JSON.parse(readFileSync(WORKERS_FILE, 'utf8')) as MeasuredWorkers;
