import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;

/**
 * The part of MongoDB's wire protocol that is needed to read a command and to answer in place of
 * the server.
 */

const OP_MSG = 2013;
const OP_QUERY = 2004;
const HEADER = 16;
const BODY = HEADER + 4 + 1;

export interface Command {
  requestId: number;
  name: string;
  document: Record<string, unknown>;
}

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);
const READS = new Set(['find', 'aggregate', 'getMore', 'count', 'distinct']);
export const isWrite = ({ name }: Command): boolean => WRITES.has(name);
export const isAboutData = (command: Command): boolean => isWrite(command) || READS.has(command.name);

/**
 * Where the document of a message begins: after the name of the collection in OP_QUERY, otherwise
 * after the kind of the section.
 */
const documentAt = (message: Buffer): number | undefined => {
  const code = message.readInt32LE(12);
  if (code === OP_MSG) return BODY;
  return code === OP_QUERY ? message.indexOf(0, HEADER + 4) + 1 + 8 : undefined;
};

const deserialized = (message: Buffer, at: number) =>
  BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)));

/** The command in a whole message, without the lists that follow it in sections of their own. */
export const commandOf = (message: Buffer): Command | undefined => {
  const at = documentAt(message);
  if (at === undefined) return undefined;
  const document = deserialized(message, at);
  return { requestId: message.readInt32LE(4), name: Object.keys(document)[0] ?? '', document };
};

/**
 * The lists of documents that follow the command of a message in sections of their own, by name.
 */
export const listsOf = (message: Buffer): Record<string, unknown[]> => {
  const lists: Record<string, unknown[]> = {};
  const from = message.readInt32LE(12) === OP_MSG ? BODY + message.readInt32LE(BODY) : message.length;
  for (let at = from + 1; at < message.length; ) {
    const end = at + message.readInt32LE(at);
    const nameEnd = message.indexOf(0, at + 4);
    const list: unknown[] = [];
    for (let next = nameEnd + 1; next < end; next += message.readInt32LE(next)) list.push(deserialized(message, next));
    lists[message.toString('utf8', at + 4, nameEnd)] = list;
    at = end + 1;
  }
  return lists;
};

/** The collection of a command: the value of its first member, or of `collection`. */
export const collectionOf = ({ name, document }: Command): string | undefined => {
  const collection = document[name === 'getMore' ? 'collection' : name];
  return typeof collection === 'string' ? collection : undefined;
};

/** The name that an application gives itself in its handshake. */
export const applicationOf = ({ document }: Command): string | undefined =>
  (document.client as { application?: { name?: string } } | undefined)?.application?.name;

/** The id of the request that a reply answers. */
export const answeredBy = (message: Buffer): number => message.readInt32LE(8);

const replyTo = (requestId: number, document: object): Buffer => {
  const body = BSON.serialize(document);
  const message = Buffer.alloc(BODY + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(requestId, 8);
  message.writeInt32LE(OP_MSG, 12);
  message.set(body, BODY);
  return message;
};

/** A refusal as the server would send it. */
export const refusalOf = ({ requestId }: Command, code: number): Buffer =>
  replyTo(requestId, { ok: 0, code, codeName: `Code${code}`, errmsg: 'refused by the fault suite' });

/**
 * The server's reply to a write, with an added error: the write could not be confirmed by a
 * majority.
 */
export const unassured = (message: Buffer): Buffer => {
  const document = BSON.deserialize(message.subarray(BODY, BODY + message.readInt32LE(BODY)));
  const writeConcernError = { code: 64, codeName: 'WriteConcernTimeout', errmsg: 'waiting for replication timed out' };
  return replyTo(answeredBy(message), { ...document, writeConcernError });
};

/** Cuts a stream into whole messages. */
export const mongoFraming = (): ((bytes: Buffer) => Buffer[]) => {
  let buffered: Buffer = Buffer.alloc(0);
  return (bytes) => {
    buffered = buffered.length === 0 ? bytes : Buffer.concat([buffered, bytes]);
    const messages: Buffer[] = [];
    while (buffered.length >= 4 && buffered.length >= buffered.readInt32LE(0)) {
      const length = buffered.readInt32LE(0);
      messages.push(buffered.subarray(0, length));
      buffered = buffered.subarray(length);
    }
    return messages;
  };
};
