import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { quietLog, testStack } from '@assay/testing';
import { afterEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { connectMongo, type Database } from './connect.ts';
import { examineDatabase } from './findings.ts';

const { BSON } = mongoose.mongo;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const HEADER = 16;
const OP_MSG = 2013;
const OP_QUERY = 2004;
const OP_REPLY = 1;

/**
 * A server of MongoDB's wire protocol that requires a login: it answers the handshake, and refuses
 * every other command with Unauthorized.
 */
const startGuarded = async (): Promise<string> => {
  const greeting = {
    ok: 1,
    isWritablePrimary: true,
    ismaster: true,
    maxWireVersion: 21,
    minWireVersion: 0,
    maxBsonObjectSize: 16777216,
    maxMessageSizeBytes: 48000000,
    maxWriteBatchSize: 1000,
    localTime: new Date(),
  };
  const refusal = { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'command requires authentication' };
  const replyTo = (message: Buffer): Buffer => {
    const isQuery = message.readInt32LE(12) === OP_QUERY;
    const command = isQuery ? {} : BSON.deserialize(message.subarray(HEADER + 5));
    const body = BSON.serialize(isQuery || 'hello' in command || 'ismaster' in command ? greeting : refusal);
    const before = isQuery ? Buffer.alloc(20) : Buffer.alloc(5);
    if (isQuery) before.writeInt32LE(1, 16);
    const header = Buffer.alloc(HEADER);
    header.writeInt32LE(HEADER + before.length + body.length, 0);
    header.writeInt32LE(message.readInt32LE(4), 8);
    header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
    return Buffer.concat([header, before, body]);
  };
  const serve = (socket: Socket): void => {
    let unread = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      unread = Buffer.concat([unread, bytes]);
      while (unread.length >= 4 && unread.length >= unread.readInt32LE(0)) {
        const length = unread.readInt32LE(0);
        socket.write(replyTo(unread.subarray(0, length)));
        unread = unread.subarray(length);
      }
    });
  };
  const server: Server = createServer(serve);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/?directConnection=true`;
};

const examined = async (database: Database, url: string, check: string) => {
  const found = await examineDatabase(database.connection, url, 'any');
  return found.filter((finding) => finding.check === check);
};

test('a server without a login is found open, and one that requires a login is not', async () => {
  const { mongoUrl, database } = testStack();
  const connected = await connectMongo(mongoUrl, database('findings'), quietLog);
  closing.push(() => connected.close());
  // The server under test has no users.
  expect(await examined(connected, mongoUrl, 'database-open')).toMatchObject([{ status: 'PROBLEM' }]);
  const named = mongoUrl.replace('mongodb://', 'mongodb://someone:password@');
  expect(await examined(connected, named, 'database-open')).toMatchObject([{ status: 'PROBLEM' }]);
  expect(await examined(connected, await startGuarded(), 'database-open')).toMatchObject([{ status: 'OK' }]);
  expect(await examined(connected, 'mongodb://127.0.0.1:1/', 'database-open')).toMatchObject([{ status: 'UNKNOWN' }]);
}, 30_000);

test('a server without users is not said to give a user its rights', async () => {
  const { mongoUrl, database } = testStack();
  const connected = await connectMongo(mongoUrl, database('findings'), quietLog);
  closing.push(() => connected.close());
  expect(await examined(connected, mongoUrl, 'database-rights')).toEqual([
    expect.objectContaining({ status: 'UNKNOWN', message: expect.stringContaining('no user') }),
  ]);
});

test('every check is reported though the database is unavailable', async () => {
  const { mongoUrl, database } = testStack();
  const connected = await connectMongo(mongoUrl, database('findings'), quietLog);
  await connected.close();
  const found = await examineDatabase(connected.connection, mongoUrl, 'any');
  expect(found.map(({ check }) => check).sort()).toEqual([
    'clocks',
    'database-copies',
    'database-indexes',
    'database-open',
    'database-rights',
  ]);
});
