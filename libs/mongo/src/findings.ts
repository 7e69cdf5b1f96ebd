import { mongoAddressOf } from '@assay/contracts';
import { type ProcessFinding, systemClock } from '@assay/runtime';
import mongoose, { type Connection } from 'mongoose';
import { askTime, type ServerTime } from './database-clock.ts';
import { missingIndexes } from './indexes.ts';

const PROBE_MS = 3000;
const FEW_SECONDS = 2;
const MANY_SECONDS = 30;
const UNAUTHORIZED = 13;
const NO_SUCH_COMMAND = 59;
/** So many indexes a message names. */
const NAMED = 5;
/** Roles that give access to more than the databases of one service. */
const WIDE = /^(root|__system|.*AnyDatabase|.*Admin|restore|backup|clusterManager)$/;

const hasCode = (error: unknown, code: number): boolean => (error as { code?: unknown }).code === code;

/** Whether the server answers without a login. */
const examineOpen = async (url: string, database: string): Promise<ProcessFinding> => {
  const check = 'database-open';
  const address = mongoAddressOf(url);
  if (!address) return { check, status: 'UNKNOWN', message: 'MONGO_URL cannot be read' };
  const anonymous = new URLSearchParams(address.options);
  for (const name of ['authSource', 'authMechanism', 'authMechanismProperties']) anonymous.delete(name);
  const scheme = url.startsWith('mongodb+srv') ? 'mongodb+srv' : 'mongodb';
  const client = new mongoose.mongo.MongoClient(`${scheme}://${address.hosts.join(',')}/?${anonymous}`, {
    serverSelectionTimeoutMS: PROBE_MS,
    connectTimeoutMS: PROBE_MS,
    socketTimeoutMS: PROBE_MS,
    maxPoolSize: 1,
  });
  const listing = client.db(database).listCollections({}, { nameOnly: true }).toArray();
  return listing
    .then(
      (): ProcessFinding => ({ check, status: 'PROBLEM', message: 'the server answers without a login' }),
      (error: unknown): ProcessFinding =>
        hasCode(error, UNAUTHORIZED)
          ? { check, status: 'OK', message: 'the server asks for a login' }
          : { check, status: 'UNKNOWN', message: 'the server could not be asked without a login' },
    )
    .finally(() => client.close());
};

interface ConnectionStatus {
  authInfo?: { authenticatedUsers?: unknown[]; authenticatedUserRoles?: { role: string; db: string }[] };
}

/** Whether the user of this service has access to data of other services. */
const examineRights = async (connection: Connection): Promise<ProcessFinding> => {
  const check = 'database-rights';
  const status = (await connection.db?.command({ connectionStatus: 1 }).catch((error: unknown) => {
    if (!hasCode(error, NO_SUCH_COMMAND)) throw error;
  })) as ConnectionStatus | undefined;
  const users = status?.authInfo?.authenticatedUsers ?? [];
  if (users.length === 0)
    return { check, status: 'UNKNOWN', message: 'the service has no user at the server (database-login)' };
  const roles = status?.authInfo?.authenticatedUserRoles ?? [];
  const wide = [...new Set(roles.map(({ role }) => role).filter((role) => WIDE.test(role)))];
  return wide.length > 0
    ? { check, status: 'WARNING', message: `the user may more than it needs: ${wide.join(', ')}` }
    : { check, status: 'OK', message: `${roles.length} roles` };
};

/** Whether the database has the indexes that the code asks for. */
const examineIndexes = async (connection: Connection): Promise<ProcessFinding> => {
  const check = 'database-indexes';
  const missing = await missingIndexes(connection);
  const named = missing.length > NAMED ? [...missing.slice(0, NAMED), `${missing.length - NAMED} more`] : missing;
  return missing.length > 0
    ? { check, status: 'PROBLEM', message: `missing in ${connection.name}: ${named.join(', ')}` }
    : { check, status: 'OK', message: `${connection.name} has all` };
};

interface Hello {
  setName?: string;
  msg?: string;
}

const clockFinding = (answer: ServerTime | undefined): ProcessFinding => {
  const seconds = answer
    ? Math.abs(answer.at.getTime() + answer.tookMs / 2 - systemClock().getTime()) / 1000
    : Number.NaN;
  const message = `the clock of the database is ${seconds.toFixed(1)} s off`;
  const check = 'clocks';
  if (Number.isNaN(seconds)) return { check, status: 'UNKNOWN', message: 'the database does not tell its time' };
  if (seconds > MANY_SECONDS) return { check, status: 'PROBLEM', message };
  return seconds > FEW_SECONDS
    ? { check, status: 'WARNING', message }
    : { check, status: 'OK', message: 'as that of the database' };
};

const examineServer = async (connection: Connection): Promise<ProcessFinding[]> => {
  const clock = clockFinding(await askTime(connection));
  const hello = (await connection.db?.command({ hello: 1 })) as Hello | undefined;
  const isCopied = hello?.setName !== undefined || hello?.msg === 'isdbgrid';
  return [
    clock,
    isCopied
      ? { check: 'database-copies', status: 'OK', message: 'a replica set or a sharded cluster' }
      : {
          check: 'database-copies',
          status: 'WARNING',
          message: 'a single server: what was accepted ends with its disk',
        },
  ];
};

const unknown = (check: string) => (): ProcessFinding => ({
  check,
  status: 'UNKNOWN',
  message: 'the database does not answer',
});

/**
 * Findings about the database of a connection: whether the server requires a login, the rights of
 * this user, indexes, copies and the clock.
 */
export const examineDatabase = async (
  connection: Connection,
  url: string,
  database: string,
): Promise<ProcessFinding[]> => {
  const [open, rights, indexes, server] = await Promise.all([
    examineOpen(url, database).catch(unknown('database-open')),
    examineRights(connection).catch(unknown('database-rights')),
    examineIndexes(connection).catch(unknown('database-indexes')),
    examineServer(connection).catch(() => ['clocks', 'database-copies'].map((check) => unknown(check)())),
  ]);
  return [open, rights, indexes, ...server];
};
