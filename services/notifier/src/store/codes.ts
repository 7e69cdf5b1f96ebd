import type { Envelope } from '@assay/contracts';
import { type OutboxDocument, outboxFields, outboxIndex } from '@assay/mongo';
import { type Connection, type Model, Schema } from 'mongoose';

/** A one-time code or a notice that was sent, or given up; neither the text nor where it went. */
export interface SentCode extends OutboxDocument {
  _id: string;
  identityId: string;
  accepted: boolean;
  forgetAt: Date;
}

const codeSchema = new Schema<SentCode>(
  {
    _id: { type: String, required: true },
    identityId: { type: String, required: true },
    accepted: { type: Boolean, required: true },
    forgetAt: { type: Date, required: true },
    ...outboxFields,
  },
  { versionKey: false },
);
codeSchema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });
outboxIndex(codeSchema);

export const codeModel = (connection: Connection): Model<SentCode> =>
  connection.model<SentCode>('codes', codeSchema, 'codes');

export interface CodeStore {
  has(codeId: string): Promise<boolean>;
  /**
   * Remembers what became of a code together with the event that tells of it; a repeat changes
   * nothing.
   */
  put(code: SentCode, event: Envelope<unknown>): Promise<void>;
  /** Remembers that a notice went out by mail; nothing tells of it. */
  putNotice(notice: SentCode): Promise<void>;
}

export const createCodeStore = (model: Model<SentCode>): CodeStore => ({
  has: async (codeId) => (await model.exists({ _id: codeId })) !== null,
  put: async ({ _id, ...fields }, event) => {
    await model.updateOne({ _id }, { $setOnInsert: { ...fields, outbox: [event] } }, { upsert: true });
  },
  putNotice: async ({ _id, ...fields }) => {
    await model.updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });
  },
});
