import { createHash, randomBytes } from 'node:crypto';
import { type Database, type Revised, trusted } from '@assay/mongo';
import { type Model, Schema } from 'mongoose';
import type { Refusal } from '../domain/change.ts';
import type { SessionChange, UserAgentSession } from '../domain/user-agent-session.ts';
import { type OfAttempt, storeMade } from './attempts.ts';
import { changeWithDecision } from './change-with-decision.ts';

const schema = new Schema(
  {
    _id: String,
    revision: { type: Number, required: true },
    attempt: Number,
    tenantId: { type: String, required: true },
    identityId: { type: String, required: true },
    createdAt: Date,
    expiresAt: Date,
    tokenHash: { type: String, required: true },
    deviceHash: String,
    nextTokenHash: String,
    handedOverBy: { type: new Schema({ seedId: String, attempt: Number }, { _id: false }), default: undefined },
    follower: { type: new Schema({ tokenHash: String, deviceHash: String }, { _id: false }), default: undefined },
    doneAt: Date,
    formerTokenHashes: [String],
    tokenHashes: [String],
    steps: [String],
    locale: String,
    sealedReturnUrl: String,
    allowedOrigins: { type: [String], default: undefined },
  },
  { versionKey: false, id: false },
);
schema.index({ tokenHashes: 1 }, { unique: true });
schema.index({ identityId: 1 });
// A session that has expired is treated like one that never existed.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A token has 256 random bits, so a plain hash of it cannot be reversed by guessing. */
export const newToken = (): string => `asy_us_${randomBytes(32).toString('base64url')}`;
export const tokenHashOf = (token: string): string => sha256(token);
export const deviceHashOf = (sessionId: string, device: string): string => sha256(`${sessionId}\n${device}`);

export type UserAgentSessions = ReturnType<typeof createUserAgentSessions>;

/** Sessions of user agents, each for one identity and one device. */
export const createUserAgentSessions = ({ mongodb }: { mongodb: Database }) => {
  const model: Model<Revised> = mongodb.connection.model('userAgentSessions', schema, 'userAgentSessions') as never;
  return {
    model,

    /**
     * Stores a new session. A repeated request whose first answer never came stores it anew, with
     * another token. False where a later attempt at that request has done so.
     */
    create: (session: UserAgentSession & OfAttempt): Promise<boolean> =>
      storeMade(model, { identityId: session.identityId }, session),

    findByToken: (tokenHash: string): Promise<UserAgentSession | null> =>
      model
        .findOne({ tokenHashes: tokenHash } as object)
        .lean<UserAgentSession>()
        .exec(),

    find: (sessionId: string): Promise<UserAgentSession | null> =>
      model.findById(sessionId).lean<UserAgentSession>().exec(),

    /** Decides about the stored session. */
    change: async (
      known: UserAgentSession,
      decide: (session: UserAgentSession) => SessionChange | Refusal | undefined,
    ): Promise<object | Refusal> => changeWithDecision({ model, id: known._id, decide, eventsOf: () => [], known }),

    delete: async (identityId: string, sessionId: string): Promise<boolean> =>
      (await model.deleteOne({ _id: sessionId, identityId } as object)).deletedCount === 1,

    /** Ends the sessions of an identity, once it is closed. */
    deleteOfIdentity: async (identityId: string): Promise<void> => {
      await model.deleteMany({ identityId: trusted({ $eq: identityId }) } as object);
    },
  };
};
