import { createHash, randomBytes } from 'node:crypto';
import { type Database, trusted, unlessDuplicate } from '@assay/mongo';
import { Schema } from 'mongoose';
import type { StaffSession } from '../domain/sign-in.ts';

const schema = new Schema(
  {
    _id: String,
    tokenHash: { type: String, required: true },
    signInHash: { type: String, required: true },
    page: String,
    personId: { type: String, required: true },
    group: String,
    role: String,
    tenantId: String,
    createdAt: Date,
    usedAt: Date,
    expiresAt: Date,
    endedAt: Date,
  },
  { versionKey: false, id: false },
);
schema.index({ tokenHash: 1 }, { unique: true });
// One sign-in begins one session, however often its answer is sent again.
schema.index({ signInHash: 1 }, { unique: true });
schema.index({ personId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A token has 256 random bits, so a plain hash of it cannot be reversed by guessing. */
const newToken = (): string => `asy_ss_${randomBytes(32).toString('base64url')}`;

/** Whose sessions: of a person, or of everybody of a tenant. */
export interface SessionFilter {
  personId?: string | undefined;
  tenantId?: string | undefined;
}

export type StaffSessions = ReturnType<typeof createStaffSessions>;

/** Sessions of operators and administrators, for all gateways. */
export const createStaffSessions = ({ mongodb }: { mongodb: Database }) => {
  const model = mongodb.connection.model('staffSessions', schema, 'staffSessions');
  const given = (filter: SessionFilter): Record<string, string> =>
    Object.fromEntries(Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return {
    model,

    /**
     * Stores a new session and returns its token; undefined if this sign-in has begun one before.
     */
    begin: async (state: string, session: Omit<StaffSession, 'tokenHash'>): Promise<string | undefined> => {
      const token = newToken();
      const stored = { ...session, tokenHash: sha256(token), signInHash: sha256(state) };
      return (await unlessDuplicate(model.create(stored))) ? token : undefined;
    },

    findByToken: (token: string): Promise<StaffSession | null> =>
      model
        .findOne({ tokenHash: sha256(token) })
        .lean<StaffSession>()
        .exec(),

    recordUse: async (sessionId: string, at: Date): Promise<void> => {
      await model.updateOne({ _id: sessionId, usedAt: trusted({ $lt: at }) }, { $set: { usedAt: at } });
    },

    end: async (sessionId: string, at: Date): Promise<void> => {
      await model.updateOne({ _id: sessionId, endedAt: trusted({ $exists: false }) }, { $set: { endedAt: at } });
    },

    /** Ends every session of a person; only those for one tenant, where it is named. */
    endAll: async (whose: SessionFilter & { personId: string }, at: Date): Promise<number> => {
      const open = { ...given(whose), endedAt: trusted({ $exists: false }) };
      return (await model.updateMany(open, { $set: { endedAt: at } })).modifiedCount;
    },

    /**
     * Sessions that have not ended. Those that were idle for too long are rejected when they are
     * used.
     */
    list: (whose: SessionFilter, after: string | undefined, limit: number): Promise<StaffSession[]> =>
      model
        .find({
          ...given(whose),
          endedAt: trusted({ $exists: false }),
          ...(after === undefined ? {} : { _id: trusted({ $gt: after }) }),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<StaffSession[]>()
        .exec(),
  };
};
