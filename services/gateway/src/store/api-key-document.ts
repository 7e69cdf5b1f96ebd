import { createHash } from 'node:crypto';
import { type KeyRole, present } from '@assay/contracts';
import { trusted } from '@assay/mongo';
import { type Model, Schema } from 'mongoose';

/** A key without its secret. Administrators' keys belong to no tenant. */
export interface ApiKey {
  keyId: string;
  tenantId?: string;
  role: KeyRole;
  createdAt: Date;
  /** To the minute. */
  lastUsedAt?: Date;
  /** The key answers 401 from then on. */
  expiresAt?: Date;
  /** Whose key it is. */
  personId?: string;
}

/** A key as it is stored. */
export interface KeyDocument {
  _id: string;
  tenantId?: string;
  role: KeyRole;
  hash: string;
  createdAt: Date;
  lastUsedAt?: Date;
  expiresAt?: Date;
  personId?: string;
  /**
   * Set while an administrator's key is being revoked, until it is known that another one is left.
   */
  revoking?: boolean;
  /** The attempt at the request that made it. */
  attempt?: number;
}

export const schema = new Schema(
  {
    _id: String,
    tenantId: String,
    role: String,
    hash: { type: String, required: true },
    createdAt: Date,
    lastUsedAt: Date,
    expiresAt: Date,
    personId: String,
    revoking: Boolean,
    attempt: Number,
  },
  { versionKey: false, id: false },
);
schema.index({ hash: 1 }, { unique: true });
schema.index({ tenantId: 1 });
schema.index({ personId: 1 }, { sparse: true });

/** The secret has 256 random bits, so a plain hash of it cannot be reversed by guessing. */
export const hashOf = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

export const toKey = ({ _id, tenantId, role, createdAt, lastUsedAt, expiresAt, personId }: KeyDocument): ApiKey => ({
  keyId: _id,
  ...present({ tenantId }),
  role,
  createdAt,
  ...present({ lastUsedAt, expiresAt, personId }),
});

/** The keys of a tenant; without one, those of the administrators. */
export const ownedBy = (tenantId: string | undefined) =>
  tenantId === undefined ? { tenantId: trusted({ $exists: false }), role: 'ADMINISTRATOR' } : { tenantId };

// biome-ignore lint/suspicious/noExplicitAny: the model of a schema whose members mongoose types as absent
export type KeyModel = Model<any>;
