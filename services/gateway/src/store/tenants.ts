import { present, type TenantSettings, type WebhookSettings } from '@assay/contracts';
import { type Database, type Revised, trusted, unlessDuplicate, updateWithRevision } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { openJson, sealJson } from '@assay/sealing';
import { Schema } from 'mongoose';
import { type Batch, without } from './batch.ts';

/** A client of the service: its switches. The webhook's secret is sealed and never shown again. */
export interface Tenant {
  tenantId: string;
  name: string;
  settings: TenantSettings;
  createdAt: Date;
}

export interface TenantDocument extends Revised {
  name: string;
  settings: TenantSettings;
  sealedWebhook?: string;
  /** Of the last change of the webhook that the notifier was told, or was to be told. */
  changeNumber?: number;
  /** When that change began; absent once the notifier has what is stored. */
  changingSince?: Date;
  createdAt: Date;
}

const schema = new Schema(
  {
    _id: String,
    revision: Number,
    name: String,
    settings: Schema.Types.Mixed,
    sealedWebhook: String,
    changeNumber: Number,
    changingSince: Date,
    createdAt: Date,
  },
  { versionKey: false, minimize: false, id: false },
);
schema.index({ createdAt: 1, _id: 1 });
schema.index({ changingSince: 1 }, { sparse: true });
schema.index({ 'settings.allowedOrigins': 1 }, { sparse: true });
schema.index({ 'settings.capture.embedders': 1 }, { sparse: true });

/** The tenants' collection. */
export const TENANTS = 'tenants';

const contextOf = (tenantId: string): string => `${tenantId}||webhook`;

/** A tenant as stored, without its secrets. */
export const toTenant = ({ _id, name, settings, createdAt }: TenantDocument): Tenant => ({
  tenantId: _id,
  name,
  settings,
  createdAt,
});

/** The part of a webhook that is shown and stored in clear: everything but its secrets. */
const withoutSecret = ({ secret: _, formerSecret: __, ...shown }: WebhookSettings): WebhookSettings => shown;

export interface Deps {
  mongodb: Database;
  /** Seals the secrets of webhooks. */
  secret: Buffer;
  now: Clock;
  /** Called once settings have changed. */
  onChanged?: () => void;
}

/** The settings as they are stored: the webhook's secret sealed, beside them. */
const settingsSealer = (secret: Buffer) => ({
  stored: (tenantId: string, settings: TenantSettings): { settings: TenantSettings; sealedWebhook?: string } => {
    const { webhook } = settings;
    if (!webhook) return { settings };
    return {
      settings: { ...settings, webhook: withoutSecret(webhook) },
      sealedWebhook: sealJson(secret, contextOf(tenantId), webhook),
    };
  },

  /** The settings with the webhook's secret. */
  whole: ({ _id, settings, sealedWebhook }: TenantDocument): TenantSettings =>
    sealedWebhook
      ? { ...settings, webhook: openJson<WebhookSettings>(secret, contextOf(_id), sealedWebhook) }
      : settings,
});

/** What the tenants allow pages of other origins. */
const allowances = (isThere: (filter: object) => Promise<boolean>) => ({
  /** To call the API. */
  isOriginAllowed: (origin: string): Promise<boolean> => isThere({ 'settings.allowedOrigins': origin }),

  /** To show the capture page in a frame. */
  mayEmbed: (origin: string): Promise<boolean> => isThere({ 'settings.capture.embedders': origin }),
});

const modelOf = ({ connection }: Deps['mongodb']) => connection.model('tenants', schema, TENANTS);

const changeNumbers = (model: ReturnType<typeof modelOf>, now: Clock) => ({
  /**
   * Begins a change of the webhook. Its number is larger than any before, also where tenants are
   * restored from a backup that is older than the notifier's endpoints; 0 while the tenant is being
   * made. `isAlone`: no other change is under way, so the notifier has what is stored.
   */
  beginChange: async (tenantId: string): Promise<{ changeNumber: number; isAlone: boolean }> => {
    await model.updateOne({ _id: tenantId }, { $max: { changeNumber: now().getTime() } });
    const update = { $inc: { changeNumber: 1 }, $set: { changingSince: now() } };
    const before = await model
      .findOneAndUpdate({ _id: tenantId }, update, { returnDocument: 'before' })
      .lean<TenantDocument>();
    const changeNumber = before ? (before.changeNumber ?? 0) + 1 : 0;
    return { changeNumber, isAlone: before?.changingSince === undefined };
  },

  /**
   * Ends the change with this number: the notifier has what is stored. False where another change
   * has begun since.
   */
  endChange: async (tenantId: string, changeNumber: number): Promise<boolean> => {
    const ended = { $unset: { changingSince: 1 } };
    return (await model.updateOne({ _id: tenantId, changeNumber }, ended)).matchedCount === 1;
  },

  /** Tenants with a change of the webhook that began before, and has not ended. */
  changing: async (before: Date, { limit, except }: Batch): Promise<string[]> =>
    (
      await model
        .find({ _id: without(except), changingSince: trusted({ $lte: before }) }, { _id: 1 })
        .limit(limit)
        .lean<{ _id: string }[]>()
    ).map(({ _id }) => _id),
});

export type Tenants = ReturnType<typeof createTenants>;

export const createTenants = ({ mongodb, secret, now, onChanged }: Deps) => {
  const model = modelOf(mongodb);
  const { stored, whole } = settingsSealer(secret);

  return {
    model,

    /**
     * Adds a tenant; false when there is one with that id. `isAtNotifier`: the notifier has its
     * webhook already; otherwise a sweep tells it.
     */
    create: async (
      tenantId: string,
      name: string,
      settings: TenantSettings,
      { isAtNotifier = false }: { isAtNotifier?: boolean } = {},
    ): Promise<boolean> => {
      const createdAt = now();
      const changingSince = settings.webhook && !isAtNotifier ? createdAt : undefined;
      const known = { _id: tenantId, revision: 0, name, createdAt, ...present({ changingSince }) };
      return unlessDuplicate(model.create({ ...known, ...stored(tenantId, settings) }));
    },

    find: async (tenantId: string): Promise<Tenant | undefined> => {
      const document = await model.findById(tenantId).lean<TenantDocument>();
      return document ? toTenant(document) : undefined;
    },

    ...allowances(async (filter) => (await model.exists(filter)) !== null),

    /** The tenants in the order they came; `after` is the id of the last one seen. */
    list: async (after: string | undefined, limit: number): Promise<Tenant[]> => {
      const filter = after === undefined ? {} : { _id: trusted({ $gt: after }) };
      return (await model.find(filter).sort({ _id: 1 }).limit(limit).lean<TenantDocument[]>()).map(toTenant);
    },

    ...changeNumbers(model, now),

    /**
     * Changes the settings; `next` sees them with the webhook's secret, and is asked again when
     * somebody else changed them meanwhile.
     */
    changeSettings: async (
      tenantId: string,
      next: (settings: TenantSettings) => Promise<TenantSettings>,
    ): Promise<Tenant | undefined> => {
      let changed: TenantSettings = {};
      const outcome = await updateWithRevision<TenantDocument>(model, tenantId, async (document) => {
        const { settings, sealedWebhook } = stored(tenantId, await next(whole(document)));
        changed = settings;
        return sealedWebhook === undefined
          ? { $set: { settings }, $unset: { sealedWebhook: 1 } }
          : { $set: { settings, sealedWebhook } };
      });
      onChanged?.();
      return outcome && toTenant({ ...outcome.document, settings: changed });
    },
  };
};
