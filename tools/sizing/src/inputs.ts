import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

export const readMeasured = (file = MEASURED_FILE): Measured => JSON.parse(readFileSync(file, 'utf8')) as Measured;
export const readInputs = (file = INPUTS_FILE): Inputs => JSON.parse(readFileSync(file, 'utf8')) as Inputs;
export const readMeasuredWorkers = (): MeasuredWorkers =>
  JSON.parse(readFileSync(WORKERS_FILE, 'utf8')) as MeasuredWorkers;
