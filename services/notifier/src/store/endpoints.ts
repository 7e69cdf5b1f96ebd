import { present, type WebhookMode } from '@assay/contracts';
import { trusted, unlessDuplicate } from '@assay/mongo';
import { createRecent } from '@assay/runtime';
import { type Connection, type Model, Schema, type UpdateQuery } from 'mongoose';

/** Where one tenant's notifications go, and how that has been going. */
export interface Endpoint {
  /** The tenant's id. */
  _id: string;
  url: string;
  mode: WebhookMode;
  headerName?: string;
  sealedSecret?: string;
  sealedFormerSecret?: string;
  attempts: number;
  delaySeconds: number;
  schedule?: number[];
  disableAfterSeconds?: number;
  enabled: boolean;
  /** Another each time it is set; absent where a former release set it. */
  version?: string;
  /** Of the change that set it; absent where a former release did. */
  changeNumber?: number;
  /** The tenant has none any more; what is left keeps a late request from setting it again. */
  removedAt?: Date;
  /** Notified of what happens from here on. */
  since?: Date;
  /** The receiver answered 410; only setting the endpoint again enables it. */
  goneAt?: Date;
  /** Every attempt had failed for too long; only setting the endpoint again enables it. */
  disabledAt?: Date;
  failingSince?: Date;
  deliveryLogSeconds: number;
  /** A sandbox tenant's: its notifications say so. */
  sandbox?: boolean;
  consecutiveFailures: number;
  lastSuccessAt?: Date;
  lastFailureAt?: Date;
  lastError?: string;
}

/** Longer than a request may be on its way. */
const REMOVED_SECONDS = 3600;

const endpointSchema = new Schema<Endpoint>(
  {
    _id: { type: String, required: true },
    url: { type: String, required: true },
    mode: { type: String, required: true },
    headerName: String,
    sealedSecret: String,
    sealedFormerSecret: String,
    attempts: { type: Number, required: true },
    delaySeconds: { type: Number, required: true },
    schedule: { type: [Number], default: undefined },
    disableAfterSeconds: Number,
    enabled: { type: Boolean, required: true },
    version: String,
    changeNumber: Number,
    removedAt: Date,
    since: Date,
    goneAt: Date,
    disabledAt: Date,
    failingSince: Date,
    deliveryLogSeconds: { type: Number, required: true },
    sandbox: Boolean,
    consecutiveFailures: { type: Number, default: 0 },
    lastSuccessAt: Date,
    lastFailureAt: Date,
    lastError: String,
  },
  { versionKey: false },
);
endpointSchema.index({ removedAt: 1 }, { expireAfterSeconds: REMOVED_SECONDS });

export const endpointModel = (connection: Connection): Model<Endpoint> =>
  connection.model<Endpoint>('endpoints', endpointSchema, 'endpoints');

/** An endpoint as it was when an attempt was made. */
type Attempted = Pick<Endpoint, '_id' | 'url' | 'version' | 'failingSince'>;

/** Whether it was not set anew since it was as it is here. */
export const isSameSetting = (
  a: Pick<Endpoint, 'url' | 'version'>,
  b: Pick<Endpoint, 'url' | 'version'> | undefined,
): boolean => b !== undefined && a.url === b.url && a.version === b.version;

interface Removal {
  changeNumber: number;
  at: Date;
}

export interface EndpointStore {
  /**
   * Sets an endpoint in place of the one that was found before. False where it was set or removed
   * since: a request that is slow, and was given up meanwhile, does not undo what came after it.
   * Where none was found, false if a later change had removed it.
   */
  put(endpoint: Endpoint, before: Endpoint | undefined): Promise<boolean>;
  /**
   * Removes the endpoint that was found before, if there was one. False where it was set since.
   */
  remove(tenantId: string, before: Endpoint | undefined, change: Removal): Promise<boolean>;
  all(): Promise<Endpoint[]>;
  /** Stores a secret as it is sealed now, unless it was set anew meanwhile. */
  replaceSecret(
    tenantId: string,
    name: 'sealedSecret' | 'sealedFormerSecret',
    sealed: string,
    anew: string,
  ): Promise<void>;
  find(tenantId: string): Promise<Endpoint | undefined>;
  /** Those of these tenants. */
  findAll(tenantIds: readonly string[]): Promise<Endpoint[]>;
  /** As `find`; one that works may be as it was a second ago, any other is as it is now. */
  recent(tenantId: string): Promise<Endpoint | undefined>;
  /** What an attempt says of an endpoint; of one that was set anew meanwhile, nothing. */
  succeeded(endpoint: Attempted, at: Date): Promise<void>;
  failed(endpoint: Attempted, at: Date, error: string, isClosed: boolean): Promise<void>;
  /** False when it was disabled already, or set anew since it failed. */
  disable(endpoint: Attempted, at: Date): Promise<boolean>;
}

const REMEMBERED = { most: 1000, forMs: 1000 };
/**
 * Whoever mends one that fails or was disabled has its deliveries sent again at once: a process
 * that remembered it would give them up.
 */
const works = ({ enabled, consecutiveFailures }: Endpoint): boolean => enabled && consecutiveFailures === 0;

/** Finds an endpoint only as it was set; null finds what has no version. */
const asSet = ({ _id, url, version }: Attempted) => ({ _id, url, version: version ?? null });

type Find = EndpointStore['find'];

const removed = { removedAt: trusted({ $exists: true }) };
const isThere = { removedAt: trusted({ $exists: false }) };
/** What is left of an endpoint. A former release reads it as one that is not enabled. */
const remains = {
  ...{ url: '', mode: 'NONE' as const, enabled: false },
  ...{ attempts: 1, delaySeconds: 1, deliveryLogSeconds: 1, consecutiveFailures: 0 },
};

/** Setting and removing endpoints, in place of what was found before. */
const setting = (model: Model<Endpoint>, find: Find, forget: (tenantId: string) => void) => ({
  put: async (endpoint: Endpoint, before: Endpoint | undefined): Promise<boolean> => {
    const { _id, ...fields } = endpoint;
    const { changeNumber } = fields;
    const earlier = changeNumber === undefined ? {} : { changeNumber: trusted({ $lte: changeNumber }) };
    const replaced = async (filter: object): Promise<boolean> =>
      (await model.replaceOne(filter, fields)).matchedCount === 1;
    const added = async (): Promise<boolean> =>
      (await unlessDuplicate(model.create(endpoint))) || replaced({ _id, ...removed, ...earlier });
    return (before ? replaced(asSet(before)) : added()).finally(() => forget(_id));
  },

  remove: async (_id: string, before: Endpoint | undefined, { changeNumber, at }: Removal): Promise<boolean> => {
    const left = { ...remains, removedAt: at };
    const replaced = async (found: Endpoint): Promise<boolean> => {
      const { matchedCount } = await model.replaceOne(asSet(found), { ...left, changeNumber });
      return matchedCount === 1 || (await find(_id)) === undefined;
    };
    const update = { $set: left, $max: { changeNumber } };
    const added = () => unlessDuplicate(model.updateOne({ _id, ...removed }, update, { upsert: true }));
    return (before ? replaced(before) : added()).finally(() => forget(_id));
  },
});

/** What was found a moment ago, of endpoints that work. */
const createMemory = (find: Find): { recent: Find; forget: (tenantId: string) => void } => {
  const remembered = createRecent<Endpoint>(REMEMBERED);
  /** Who asks while somebody else does waits for the same answer. */
  const asked = new Map<string, Promise<Endpoint | undefined>>();
  const ask: Find = (tenantId) => {
    const askedAt = performance.now();
    const isStillAsked = (): boolean => asked.get(tenantId) === asking;
    const asking = find(tenantId)
      .then((found) => {
        if (found && works(found) && isStillAsked()) remembered.set(tenantId, found, askedAt);
        return found;
      })
      .finally(() => {
        if (isStillAsked()) asked.delete(tenantId);
      });
    asked.set(tenantId, asking);
    return asking;
  };
  return {
    recent: async (tenantId) => {
      const known = remembered.get(tenantId) ?? (await asked.get(tenantId));
      return known && works(known) ? known : ask(tenantId);
    },
    forget: (tenantId) => {
      remembered.delete(tenantId);
      // An answer that is on its way may be from before.
      asked.delete(tenantId);
    },
  };
};

export const createEndpointStore = (model: Model<Endpoint>): EndpointStore => {
  const find: Find = async (_id) => (await model.findOne({ _id, ...isThere }).lean<Endpoint>()) ?? undefined;
  const { recent, forget } = createMemory(find);
  const change = async (endpoint: Attempted, update: UpdateQuery<Endpoint>): Promise<void> => {
    const { _id } = endpoint;
    await model.updateOne(asSet(endpoint), update).finally(() => forget(_id));
  };
  return {
    all: () => model.find(isThere).lean<Endpoint[]>(),
    replaceSecret: async (_id, name, sealed, anew) => {
      await model.updateOne({ _id, [name]: sealed }, { $set: { [name]: anew } }).finally(() => forget(_id));
    },
    find,
    findAll: (tenantIds) => model.find({ _id: trusted({ $in: [...tenantIds] }), ...isThere }).lean<Endpoint[]>(),
    recent,
    ...setting(model, find, forget),
    succeeded: (endpoint, at) =>
      change(endpoint, {
        $set: { lastSuccessAt: at, consecutiveFailures: 0 },
        $unset: { lastError: 1, failingSince: 1 },
      }),
    failed: (endpoint, at, error, isClosed) =>
      change(endpoint, {
        $set: { lastFailureAt: at, lastError: error, ...(isClosed ? { enabled: false, goneAt: at } : {}) },
        $min: { failingSince: at },
        $inc: { consecutiveFailures: 1 },
      }),
    disable: async (endpoint, at) => {
      const { _id, failingSince } = endpoint;
      const update = { $set: { enabled: false, disabledAt: at } };
      const { modifiedCount } = await model.updateOne(
        { ...asSet(endpoint), enabled: true, ...present({ failingSince }) },
        update,
      );
      forget(_id);
      return modifiedCount === 1;
    },
  };
};
