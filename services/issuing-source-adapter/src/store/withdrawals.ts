import type { ConsentFacts } from '@assay/contracts';
import { type Tombstones, trusted } from '@assay/mongo';
import { type Connection, Schema } from 'mongoose';
import { nothingWithdrawn, type Withdrawals } from '../domain/permission.ts';

interface Stored extends Withdrawals {
  _id: string;
  tenantId: string;
}

const schema = new Schema<Stored>(
  {
    _id: { type: String, required: true },
    tenantId: { type: String, required: true },
    deletedEvidences: { type: [String], default: [] },
    consents: {
      known: { type: Schema.Types.Mixed, default: [] },
      revision: { type: Number, default: 0 },
      deleted: { type: [String], default: [] },
    },
  },
  { versionKey: false, minimize: false },
);

interface Owner {
  identityId: string;
  tenantId: string;
}

/**
 * What was taken back of each open identity of which anything was. News may come in any order and
 * again: what was deleted is only added, and of two lists of consents the newer stays. Of a closed
 * identity nothing is stored.
 */
export interface WithdrawalStore {
  find(identityId: string): Promise<Withdrawals>;
  addEvidence(owner: Owner, evidenceId: string): Promise<void>;
  addConsents(owner: Owner, changes: ConsentFacts): Promise<void>;
  remove(identityId: string): Promise<void>;
}

/** The withdrawals of the adapter's database. */
export const createWithdrawals = (connection: Connection, tombstones: Tombstones): WithdrawalStore => {
  const model = connection.model<Stored>('withdrawals', schema, 'withdrawals');
  const NO_CONSENTS = { 'consents.known': [], 'consents.revision': 0 };
  const remove: WithdrawalStore['remove'] = async (identityId) => {
    await model.deleteOne({ _id: identityId });
  };
  // After the write: an identity that closes now either finds it, or is found here.
  const unlessClosed = async (identityId: string): Promise<void> => {
    if (await tombstones.has(identityId)) await remove(identityId);
  };
  return {
    find: async (identityId) => (await model.findById(identityId).lean<Withdrawals>()) ?? nothingWithdrawn,
    addEvidence: async ({ identityId, tenantId }, evidenceId) => {
      await model.updateOne(
        { _id: identityId },
        {
          $setOnInsert: { tenantId, ...NO_CONSENTS, 'consents.deleted': [] },
          $addToSet: { deletedEvidences: evidenceId },
        },
        { upsert: true },
      );
      await unlessClosed(identityId);
    },
    addConsents: async ({ identityId, tenantId }, { known, revision, deleted }) => {
      await model.updateOne(
        { _id: identityId },
        {
          $setOnInsert: { tenantId, ...NO_CONSENTS, deletedEvidences: [] },
          $addToSet: { 'consents.deleted': { $each: deleted } },
        },
        { upsert: true },
      );
      await model.updateOne(
        { _id: identityId, 'consents.revision': trusted({ $lt: revision }) },
        { $set: { 'consents.known': known, 'consents.revision': revision } },
      );
      await unlessClosed(identityId);
    },
    remove,
  };
};
