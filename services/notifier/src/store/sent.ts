import { type Connection, type Model, Schema } from 'mongoose';

interface SentMessage {
  _id: string;
  forgetAt: Date;
}

const schema = new Schema<SentMessage>(
  { _id: { type: String, required: true }, forgetAt: { type: Date, required: true } },
  { versionKey: false },
);
schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export const sentModel = (connection: Connection): Model<SentMessage> =>
  connection.model<SentMessage>('sent', schema, 'sent');

/**
 * The ids of messages whose deliveries ended, of tenants whose log forgets them sooner than their
 * messages end: a repeat is not notified again.
 */
export interface SentStore {
  has(messageId: string): Promise<boolean>;
  put(messageId: string, forgetAt: Date): Promise<void>;
}

export const createSentStore = (model: Model<SentMessage>): SentStore => ({
  has: async (messageId) => (await model.exists({ _id: messageId })) !== null,
  put: async (messageId, forgetAt) => {
    await model.updateOne({ _id: messageId }, { $set: { forgetAt } }, { upsert: true });
  },
});
