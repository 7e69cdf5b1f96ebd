import { amqpFraming, channelOf, connectionNameOf, isPublish, wrongAck } from './amqp-wire.ts';
import {
  answeredBy,
  applicationOf,
  type Command,
  collectionOf,
  commandOf,
  isAboutData,
  isWrite,
  mongoFraming,
  refusalOf,
  unassured,
} from './mongo-wire.ts';

/** How a fault understands and changes one connection of a protocol. */
export interface Conversation {
  /** Cuts a stream into the units that are passed on, lost or answered as a whole. */
  frameRequests(bytes: Buffer): Buffer[];
  frameReplies(bytes: Buffer): Buffer[];
  /** Observes a request. The proxy calls it with every request. */
  saw(request: Buffer): void;
  /** The service at the client's end, if the protocol names it. */
  owner(): string | undefined;
  /** The collection that a request to the database is about. */
  collection(request: Buffer): string | undefined;
  /** Whether the request has an effect. `isReplyTo` recognises its reply. */
  hasEffect(request: Buffer): boolean;
  isReplyTo(reply: Buffer, request: Buffer): boolean;
  /** The refusal that a server would send, or undefined to let the request through. */
  refuse(request: Buffer, code: number): Buffer | undefined;
  /** The reply, changed to say that the effect is not confirmed. */
  unassured(reply: Buffer): Buffer;
  /** The bytes that make the other side close a channel or the connection. */
  provoke(what: 'close-channel' | 'close-connection'): Buffer[];
}

const asItComes = (bytes: Buffer): Buffer[] => [bytes];
const nothing = (): undefined => undefined;

/** HTTP: bytes as they come. Every request counts as having an effect. */
export const http = (): Conversation => ({
  frameRequests: asItComes,
  frameReplies: asItComes,
  saw: nothing,
  owner: nothing,
  collection: nothing,
  hasEffect: () => true,
  isReplyTo: () => true,
  refuse: nothing,
  unassured: (reply) => reply,
  provoke: () => [],
});

const NOT_PRIMARY = 10107;

export const mongodb = (serviceOf: (application: string) => string | undefined) => (): Conversation => {
  let owner: string | undefined;
  const last: { message?: Buffer; command?: Command | undefined } = {};
  const commandIn = (message: Buffer): Command | undefined => {
    if (last.message !== message) Object.assign(last, { message, command: commandOf(message) });
    return last.command;
  };
  return {
    frameRequests: mongoFraming(),
    frameReplies: mongoFraming(),
    saw: (request) => {
      const command = owner === undefined ? commandIn(request) : undefined;
      const application = command && applicationOf(command);
      if (application !== undefined) owner = serviceOf(application);
    },
    owner: () => owner,
    collection: (request) => {
      const command = commandIn(request);
      return command && collectionOf(command);
    },
    hasEffect: (request) => {
      const command = commandIn(request);
      return command !== undefined && isWrite(command);
    },
    isReplyTo: (reply, request) => answeredBy(reply) === request.readInt32LE(4),
    refuse: (request, code) => {
      const command = commandIn(request);
      if (!command) return undefined;
      const concerned = code === NOT_PRIMARY ? isWrite(command) : isAboutData(command);
      return concerned ? refusalOf(command, code) : undefined;
    },
    unassured,
    provoke: () => [],
  };
};

export const rabbitmq = (serviceOf: (connection: string) => string | undefined) => (): Conversation => {
  let owner: string | undefined;
  const channels = new Set<number>();
  return {
    frameRequests: amqpFraming(),
    frameReplies: amqpFraming(),
    saw: (request) => {
      const channel = channelOf(request);
      if (channel > 0) channels.add(channel);
      const name = channel === 0 && owner === undefined ? connectionNameOf(request) : undefined;
      if (name !== undefined) owner = serviceOf(name);
    },
    owner: () => owner,
    collection: nothing,
    hasEffect: isPublish,
    isReplyTo: (reply, request) => channelOf(reply) === channelOf(request),
    refuse: nothing,
    unassured: (reply) => reply,
    provoke: (what) => (what === 'close-connection' ? [wrongAck(0)] : [...channels].map(wrongAck)),
  };
};
