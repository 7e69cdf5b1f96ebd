import type { TenantSettings, WebhookSettings } from '@assay/contracts';
import { type Database, isDuplicateKey, type Revised, trusted, updateWithRevision } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { openJson, sealJson } from '@assay/sealing';
import { Schema } from 'mongoose';

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
  createdAt: Date;
}

const schema = new Schema(
  {
    _id: String,
    revision: Number,
    name: String,
    settings: Schema.Types.Mixed,
    sealedWebhook: String,
    createdAt: Date,
  },
  { versionKey: false, minimize: false, id: false },
);
schema.index({ createdAt: 1, _id: 1 });

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

/** What is shown and stored in clear of a webhook: all but its secret. */
const withoutSecret = ({ secret: _, ...shown }: WebhookSettings): WebhookSettings => shown;

export type Tenants = ReturnType<typeof createTenants>;

export const createTenants = ({
  database,
  masterKey,
  clock,
}: {
  database: Database;
  masterKey: Buffer;
  clock: Clock;
}) => {
  const model = database.connection.model('tenants', schema, TENANTS);

  const stored = (tenantId: string, settings: TenantSettings): { settings: TenantSettings; sealedWebhook?: string } => {
    const { webhook } = settings;
    if (!webhook) return { settings };
    return {
      settings: { ...settings, webhook: withoutSecret(webhook) },
      sealedWebhook: sealJson(masterKey, contextOf(tenantId), webhook),
    };
  };

  /** The settings with the webhook's secret. */
  const whole = (document: TenantDocument): TenantSettings =>
    document.sealedWebhook
      ? {
          ...document.settings,
          webhook: openJson<WebhookSettings>(masterKey, contextOf(document._id), document.sealedWebhook),
        }
      : document.settings;

  return {
    model,

    /** Adds a tenant; false when there is one with that id. */
    create: async (tenantId: string, name: string, settings: TenantSettings): Promise<boolean> => {
      const created = model.create({
        _id: tenantId,
        revision: 0,
        name,
        createdAt: clock(),
        ...stored(tenantId, settings),
      });
      return created.then(
        () => true,
        (error: unknown) => {
          if (isDuplicateKey(error)) return false;
          throw error;
        },
      );
    },

    find: async (tenantId: string): Promise<Tenant | undefined> => {
      const document = await model.findById(tenantId).lean<TenantDocument>();
      return document ? toTenant(document) : undefined;
    },

    /** The tenants in the order they came; `after` is the id of the last one seen. */
    list: async (after: string | undefined, limit: number): Promise<Tenant[]> => {
      const filter = after === undefined ? {} : { _id: trusted({ $gt: after }) };
      return (await model.find(filter).sort({ _id: 1 }).limit(limit).lean<TenantDocument[]>()).map(toTenant);
    },

    /** Changes the settings; `next` sees them with the webhook's secret, and is asked again when somebody else changed them meanwhile. */
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
      return outcome && toTenant({ ...outcome.document, settings: changed });
    },
  };
};
