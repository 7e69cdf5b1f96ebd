import type { WebhookMode } from '@assay/contracts';
import { type Connection, type Model, Schema } from 'mongoose';

/** Where one tenant's notifications go, and how that has been going. */
export interface Endpoint {
  /** The tenant's id. */
  _id: string;
  url: string;
  mode: WebhookMode;
  headerName?: string;
  sealedSecret?: string;
  attempts: number;
  delaySeconds: number;
  enabled: boolean;
  /** The receiver answered 410; only setting the endpoint again enables it. */
  goneAt?: Date;
  deliveryLogSeconds: number;
  consecutiveFailures: number;
  lastSuccessAt?: Date;
  lastFailureAt?: Date;
  lastError?: string;
}

const endpointSchema = new Schema<Endpoint>(
  {
    _id: { type: String, required: true },
    url: { type: String, required: true },
    mode: { type: String, required: true },
    headerName: String,
    sealedSecret: String,
    attempts: { type: Number, required: true },
    delaySeconds: { type: Number, required: true },
    enabled: { type: Boolean, required: true },
    goneAt: Date,
    deliveryLogSeconds: { type: Number, required: true },
    consecutiveFailures: { type: Number, default: 0 },
    lastSuccessAt: Date,
    lastFailureAt: Date,
    lastError: String,
  },
  { versionKey: false },
);

export const endpointModel = (connection: Connection): Model<Endpoint> =>
  connection.model<Endpoint>('endpoints', endpointSchema, 'endpoints');

export interface EndpointStore {
  put(endpoint: Endpoint): Promise<void>;
  remove(tenantId: string): Promise<void>;
  find(tenantId: string): Promise<Endpoint | undefined>;
  succeeded(tenantId: string, at: Date): Promise<void>;
  failed(tenantId: string, at: Date, error: string, gone: boolean): Promise<void>;
}

export const createEndpointStore = (model: Model<Endpoint>): EndpointStore => ({
  put: async ({ _id, ...fields }) => {
    await model.replaceOne({ _id }, fields, { upsert: true });
  },
  remove: async (tenantId) => {
    await model.deleteOne({ _id: tenantId });
  },
  find: async (tenantId) => (await model.findOne({ _id: tenantId }).lean<Endpoint>()) ?? undefined,
  succeeded: async (tenantId, at) => {
    await model.updateOne(
      { _id: tenantId },
      { $set: { lastSuccessAt: at, consecutiveFailures: 0 }, $unset: { lastError: 1 } },
    );
  },
  failed: async (tenantId, at, error, gone) => {
    await model.updateOne(
      { _id: tenantId },
      {
        $set: { lastFailureAt: at, lastError: error, ...(gone ? { enabled: false, goneAt: at } : {}) },
        $inc: { consecutiveFailures: 1 },
      },
    );
  },
});
