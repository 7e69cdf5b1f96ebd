import { randomBytes } from 'node:crypto';
import { type AuditAct, formatDateTime, present } from '@assay/contracts';
import { type Database, trusted } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { type Model, Schema } from 'mongoose';
import type { AuditEntry } from '../domain/audit.ts';
import { createAppender, type StoredEntry } from './audit-appender.ts';

/** A signed head of a chain: entries before it cannot be changed unnoticed. */
export interface Checkpoint {
  chain: string;
  seq: number;
  hash: string;
  at: string;
  jws: string;
  kid: string;
}

/** A query of a chain, and its order. */
export interface AuditCriteria {
  order: 'asc' | 'desc';
  /** The place of the last entry seen. */
  after?: number | undefined;
  act?: AuditAct | undefined;
  identityId?: string | undefined;
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
    /** The mark of an entry that is recorded only once. */
    once: String,
  },
  { versionKey: false, id: false, minimize: false },
);
// One writer wins each place in a chain.
entrySchema.index({ chain: 1, seq: 1 }, { unique: true });
// A rare act in a long chain of reads.
entrySchema.index({ chain: 1, 'content.act': 1, seq: 1 });
entrySchema.index({ once: 1 }, { sparse: true });
entrySchema.index({ 'content.subject.identityId': 1 }, { sparse: true });

const checkpointSchema = new Schema(
  { _id: String, chain: String, seq: Number, hash: String, at: String, jws: String, kid: String },
  { versionKey: false, id: false, minimize: false },
);
checkpointSchema.index({ chain: 1, seq: 1 });

const MOST_OF_IDENTITY = 10_000;

const VISIBLE = { _id: 0, once: 0 } as const;

const HEADS = [
  // The order of the index, backwards: only the last entry of each chain is read.
  { $sort: { chain: -1, seq: -1 } },
  { $group: { _id: '$chain', seq: { $first: '$seq' }, hash: { $first: '$hash' } } },
  { $project: { _id: 0, chain: '$_id', seq: 1, hash: 1 } },
] as const;

// biome-ignore lint/suspicious/noExplicitAny: the model of a schema whose members mongoose types as absent
const checkpointStore = (checkpoints: Model<any>) => ({
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
});

// biome-ignore lint/suspicious/noExplicitAny: the model of a schema whose members mongoose types as absent
const searching = (entries: Model<any>) => {
  const query = (chain: string, { order, after, act, identityId }: AuditCriteria) => {
    const seq = after === undefined ? undefined : trusted({ [order === 'asc' ? '$gt' : '$lt']: after });
    const sought = present({ seq, 'content.act': act, 'content.subject.identityId': identityId });
    return entries.find({ chain, ...sought }, VISIBLE).sort({ seq: order });
  };
  const search = (chain: string, criteria: AuditCriteria, limit: number): Promise<AuditEntry[]> =>
    query(chain, criteria).limit(limit).lean<AuditEntry[]>().exec();
  return {
    query,
    search,

    /** The entries of a chain in their order, behind a place. */
    list: (chain: string, after: number, limit: number): Promise<AuditEntry[]> =>
      search(chain, { order: 'asc', after }, limit),
  };
};

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The audit log: append-only chains, one for each tenant and one for the suite itself. */
export const createAuditStore = ({ mongodb, now }: { mongodb: Database; now: Clock }) => {
  const entries = mongodb.connection.model('audit', entrySchema, 'audit');
  const checkpoints = mongodb.connection.model('auditCheckpoints', checkpointSchema, 'auditCheckpoints');

  const lastOf = (chain: string): Promise<AuditEntry | null> =>
    entries.findOne({ chain }, VISIBLE).sort({ seq: -1 }).lean<AuditEntry>().exec();

  const appender = createAppender({
    lastOf,
    marked: (chain, marks) =>
      entries
        .find({ once: trusted({ $in: [...marks] }), chain }, { _id: 0 })
        .lean<StoredEntry[]>()
        .exec(),
    insert: async (lines) => {
      await entries.insertMany([...lines], { ordered: true });
    },
    among: async (lines) => {
      const places = { chain: lines[0]?.chain ?? '', seq: trusted({ $in: lines.map(({ seq }) => seq) }) };
      const found = await entries.find(places, { hash: 1 }).lean<AuditEntry[]>();
      return new Set(found.map(({ hash }) => hash));
    },
    seal: () => ({ salt: randomBytes(32).toString('base64'), at: formatDateTime(now()) }),
  });

  return {
    model: entries,
    HEADS,
    lastOf,

    /** Appends a line; with a mark, only where no line of the chain bears it yet. */
    append: appender.append,

    close: appender.close,

    /** The lines of a chain that are about an identity; the newest of very many. */
    ofIdentity: async (chain: string, identityId: string): Promise<AuditEntry[]> =>
      entries
        .find({ 'content.subject.identityId': identityId, chain }, VISIBLE)
        .sort({ seq: -1 })
        .limit(MOST_OF_IDENTITY)
        .lean<AuditEntry[]>()
        .exec(),

    /** The heads of all chains. */
    heads: (): Promise<{ chain: string; seq: number; hash: string }[]> => entries.aggregate([...HEADS]),
    ...searching(entries),
    ...checkpointStore(checkpoints),
  };
};
