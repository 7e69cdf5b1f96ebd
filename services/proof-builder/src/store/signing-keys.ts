import { type Connection, Schema } from 'mongoose';
import type { PublicJwk } from '../domain/signing-keys.ts';

/**
 * A signing key. Its private half is sealed with the master key, and gone once the key is retired;
 * its public half stays for ever.
 */
export interface SigningKey {
  kid: string;
  jwk: PublicJwk;
  publicPem: string;
  certificatePem: string;
  sealedPrivateKey?: string;
  createdAt: string;
  activeFrom: string;
  retired: boolean;
  /** The rotation that made it; none if it was made when it was due. */
  rotationId?: string;
}

interface SigningKeyDocument extends SigningKey {
  /**
   * Number of the key: two replicas that rotate at the same time use the same number, and only one
   * key is stored.
   */
  _id: number;
}

const schema = new Schema<SigningKeyDocument>(
  {
    _id: Number,
    kid: { type: String, required: true },
    jwk: { type: Schema.Types.Mixed, required: true },
    publicPem: { type: String, required: true },
    certificatePem: { type: String, required: true },
    sealedPrivateKey: String,
    createdAt: { type: String, required: true },
    activeFrom: { type: String, required: true },
    retired: { type: Boolean, required: true },
    rotationId: String,
  },
  { versionKey: false },
);
schema.index({ kid: 1 }, { unique: true });

export interface SigningKeys {
  /** All keys, oldest first. */
  all(): Promise<SigningKey[]>;
  /**
   * Adds the key after the `after` first ones, unless another replica has added one there: then
   * that one stays.
   */
  add(key: SigningKey, after: number): Promise<void>;
  /**
   * Stores the private half as it is sealed now, unless it was destroyed or sealed anew meanwhile.
   */
  replacePrivateKey(kid: string, sealed: string, anew: string): Promise<void>;
  /** Marks a key retired and destroys its private half. */
  retire(kid: string): Promise<void>;
}

export const createSigningKeys = (connection: Connection): SigningKeys => {
  const model = connection.model('signingKeys', schema, 'signingKeys');
  return {
    all: async () => {
      const found = await model.find({}).sort({ _id: 1 }).lean<SigningKeyDocument[]>();
      return found.map(({ _id, ...key }) => key);
    },
    add: async (key, after) => {
      await model.updateOne({ _id: after + 1 }, { $setOnInsert: key }, { upsert: true });
    },
    replacePrivateKey: async (kid, sealed, anew) => {
      await model.updateOne({ kid, sealedPrivateKey: sealed }, { $set: { sealedPrivateKey: anew } });
    },
    retire: async (kid) => {
      await model.updateOne({ kid }, { $set: { retired: true }, $unset: { sealedPrivateKey: '' } });
    },
  };
};
