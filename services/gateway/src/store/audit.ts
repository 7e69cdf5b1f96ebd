import { randomBytes } from 'node:crypto';
import { formatDateTime } from '@assay/contracts';
import { type Database, isDuplicateKey, trusted } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { Schema } from 'mongoose';
import { type AuditContent, type AuditEntry, nextEntry } from '../domain/audit.ts';

/** A head of a chain that was signed: what was before it cannot be changed unseen. */
export interface Checkpoint {
  chain: string;
  seq: number;
  hash: string;
  at: string;
  jws: string;
  kid: string;
}

const entrySchema = new Schema(
  {
    chain: { type: String, required: true },
    seq: { type: Number, required: true },
    at: String,
    commitment: String,
    previous: String,
    hash: String,
    content: Schema.Types.Mixed,
    salt: String,
  },
  { versionKey: false, id: false, minimize: false },
);
// One writer wins each place in a chain.
entrySchema.index({ chain: 1, seq: 1 }, { unique: true });

const checkpointSchema = new Schema(
  { _id: String, chain: String, seq: Number, hash: String, at: String, jws: String, kid: String },
  { versionKey: false, id: false, minimize: false },
);
checkpointSchema.index({ chain: 1, seq: 1 });

const ATTEMPTS = 50;
const VISIBLE = { _id: 0 } as const;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The audit log: append-only chains, one for each tenant and one for the suite itself. */
export const createAuditStore = ({ database, clock }: { database: Database; clock: Clock }) => {
  const entries = database.connection.model('audit', entrySchema, 'audit');
  const checkpoints = database.connection.model('auditCheckpoints', checkpointSchema, 'auditCheckpoints');

  const lastOf = (chain: string): Promise<AuditEntry | null> =>
    entries.findOne({ chain }, VISIBLE).sort({ seq: -1 }).lean<AuditEntry>().exec();

  return {
    lastOf,

    append: async (chain: string, content: AuditContent): Promise<AuditEntry> => {
      const salt = randomBytes(32).toString('base64');
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const entry = nextEntry(chain, (await lastOf(chain)) ?? undefined, content, {
          salt,
          at: formatDateTime(clock()),
        });
        const written = await entries.create(entry).then(
          () => true,
          (error: unknown) => {
            if (isDuplicateKey(error)) return false;
            throw error;
          },
        );
        if (written) return entry;
      }
      throw new Error('the audit log is written to by too many at once');
    },

    list: (chain: string, after: number, limit: number): Promise<AuditEntry[]> =>
      entries
        .find({ chain, seq: trusted({ $gt: after }) }, VISIBLE)
        .sort({ seq: 1 })
        .limit(limit)
        .lean<AuditEntry[]>()
        .exec(),

    /** The heads of all chains. */
    heads: (): Promise<{ chain: string; seq: number; hash: string }[]> =>
      entries.aggregate([
        { $sort: { chain: 1, seq: -1 } },
        { $group: { _id: '$chain', seq: { $first: '$seq' }, hash: { $first: '$hash' } } },
        { $project: { _id: 0, chain: '$_id', seq: 1, hash: 1 } },
      ]),

    lastCheckpoint: (chain: string): Promise<Checkpoint | null> =>
      checkpoints.findOne({ chain }, VISIBLE).sort({ seq: -1 }).lean<Checkpoint>().exec(),

    checkpoints: (chain: string, after: number, limit: number): Promise<Checkpoint[]> =>
      checkpoints
        .find({ chain, seq: trusted({ $gt: after }) }, VISIBLE)
        .sort({ seq: 1 })
        .limit(limit)
        .lean<Checkpoint[]>()
        .exec(),

    addCheckpoint: async (checkpoint: Checkpoint): Promise<void> => {
      const _id = `${checkpoint.chain}:${checkpoint.seq}`;
      await checkpoints.updateOne({ _id }, { $setOnInsert: checkpoint }, { upsert: true });
    },
  };
};
