import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { type Database, trusted, unlessDuplicate } from '@assay/mongo';
import { Schema } from 'mongoose';
import type { Channel } from '../domain/contact.ts';

const HOUR_MS = 3600_000;
/** Codes one address or number is sent within an hour, over all identities of a tenant. */
export const MOST_TO_ONE_DESTINATION = 10;
/** Codes a tenant sends within an hour. */
const MOST_OF_A_TENANT = 1000;

interface SentDocument {
  _id: string;
  /** The newest ones only: as many as are allowed. */
  sentAt: Date[];
  forgetAt: Date;
}

const schema = new Schema<SentDocument>({ _id: String, sentAt: [Date], forgetAt: Date }, { versionKey: false });
schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export interface Deps {
  mongodb: Database;
  secret: Buffer;
  mostOfATenant?: number;
}

export interface Destination {
  tenantId: string;
  channel: Channel;
  to: string;
}

/** What follows a plus sign only sorts the mail of one mailbox. */
const mailbox = (local: string): string => local.replace(/(?<=.)\+.*$/u, '');

/** One spelling for addresses and numbers that reach the same person. */
const plain = ({ channel, to }: Destination): string =>
  channel === 'EMAIL' ? plainAddress(to) : to.replace(/\D/g, '').replace(/^00/, '');

const plainAddress = (address: string): string => {
  const [local = '', domain = ''] = address.trim().toLowerCase().normalize('NFC').split('@');
  return `${mailbox(local)}@${domainToASCII(domain) || domain}`;
};

export type CodeLimits = ReturnType<typeof createCodeLimits>;

/**
 * Counts one-time codes by destination and by tenant, for an hour. Of a destination only a keyed
 * hash is stored.
 */
export const createCodeLimits = ({ mongodb, secret, mostOfATenant = MOST_OF_A_TENANT }: Deps) => {
  const model = mongodb.connection.model<SentDocument>('codeLimits', schema, 'codeLimits');
  const idOf = (...parts: string[]): string => createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');

  /**
   * Counts one more if there is room within the hour; else gives the seconds until there is. One
   * atomic write, over all replicas.
   */
  const take = async (_id: string, most: number, now: Date): Promise<number> => {
    const anHourAgo = new Date(now.getTime() - HOUR_MS);
    const hasRoom = [
      { [`sentAt.${most - 1}`]: trusted({ $exists: false }) },
      { 'sentAt.0': trusted({ $lte: anHourAgo }) },
    ];
    const change = {
      $push: { sentAt: { $each: [now], $slice: -most } },
      $set: { forgetAt: new Date(now.getTime() + HOUR_MS) },
    };
    const isFull = !(await unlessDuplicate(model.updateOne({ _id, $or: hasRoom }, change, { upsert: true })));
    if (!isFull) return 0;
    const { sentAt = [] } = (await model.findById(_id).lean<SentDocument>()) ?? {};
    const [oldest] = sentAt;
    // Another process created the document between our read and our write: there is room.
    if (!oldest || sentAt.length < most || oldest <= anHourAgo) return take(_id, most, now);
    return Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1000);
  };

  return {
    /**
     * Seconds to wait before a code may be sent there; 0 when it may be now, and then it is
     * counted.
     */
    take: async (destination: Destination, now: Date): Promise<number> => {
      const { tenantId, channel } = destination;
      const toOne = await take(
        idOf('destination', tenantId, channel, plain(destination)),
        MOST_TO_ONE_DESTINATION,
        now,
      );
      return toOne || take(idOf('tenant', tenantId), mostOfATenant, now);
    },
  };
};
