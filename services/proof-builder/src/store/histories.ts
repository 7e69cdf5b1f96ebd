import type { Envelope } from '@assay/contracts';
import { directly, FIRST_VERSION } from '@assay/mongo';
import { type Connection, Schema } from 'mongoose';
import type { HistoryRecord } from '../domain/history.ts';

/**
 * One event of an identity as it arrived, its personal data still sealed with the identity's key.
 * `_id` is the message id.
 */
interface HistoryDocument {
  _id: string;
  tenantId: string;
  identityId: string;
  eventType: string;
  at: string;
  data: unknown;
}

const schema = new Schema<HistoryDocument>(
  {
    _id: String,
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    eventType: { type: String, required: true },
    at: { type: String, required: true },
    data: { type: Schema.Types.Mixed, required: true },
  },
  { versionKey: false, minimize: false },
).index({ identityId: 1, tenantId: 1 });

export interface Histories {
  /** Stores events, all with one command; a repeated one changes nothing. */
  add(events: readonly Envelope<unknown>[]): Promise<void>;
  find(tenantId: string, identityId: string): Promise<HistoryRecord[]>;
  purge(identityId: string): Promise<void>;
}

/**
 * One document per event: nothing is read before it is written, so events may arrive twice, at once
 * and in any order.
 */
export const createHistories = (connection: Connection): Histories => {
  const model = connection.model('histories', schema, 'histories');
  return {
    add: async (events) => {
      await directly(model).bulk(
        events.map(({ id, tenantId, identityId, type, at, data }) => ({
          updateOne: {
            filter: { _id: id },
            update: {
              $setOnInsert: { tenantId, identityId, eventType: type, at, data, schemaVersion: FIRST_VERSION },
            },
            upsert: true,
          },
        })),
      );
    },
    find: async (tenantId, identityId) => {
      const found = await model.find({ identityId, tenantId }).lean<HistoryDocument[]>();
      return found.map(({ eventType, at, data }) => ({ type: eventType, at, data }));
    },
    purge: async (identityId) => {
      await model.deleteMany({ identityId });
    },
  };
};
