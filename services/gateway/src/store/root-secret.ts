import { createHmac } from 'node:crypto';
import { type Database, unlessDuplicate } from '@assay/mongo';
import { Schema } from 'mongoose';
import { createKeyRecords } from './key-records.ts';
import type { MasterKeys, Wrapped } from './master-keys.ts';

interface SecretDocument extends Wrapped {
  _id: string;
}

const schema = new Schema<SecretDocument>(
  { _id: String, wrapped: String, keyId: String },
  { versionKey: false, id: false },
);

schema.index({ keyId: 1 });

const ROOT = 'gateway';
const contextOf = (id: string): string => `secret|${id}`;

export interface Deps {
  /** The database of the identities' keys. */
  mongodb: Database;
  masterKeys: MasterKeys;
  /** What the secret is where none is stored yet. */
  masterKey: Buffer;
}

/**
 * The secret from which the gateway derives what seals webhooks, stored replies and sign-ins and
 * what keys its hashes. It is stored as the keys of identities are, wrapped by the master key in
 * force: whichever that is, what was sealed and hashed stays readable and found. It begins as
 * MASTER_KEY, with which releases before this record sealed and hashed.
 */
export const createRootSecret = async ({ mongodb, masterKeys, masterKey }: Deps) => {
  const model = mongodb.connection.model('secrets', schema, 'secrets');
  const read = () => model.findById(ROOT).lean<SecretDocument>().exec();
  const begin = async (): Promise<SecretDocument> => {
    const first = { _id: ROOT, ...(await masterKeys.wrap(masterKey, contextOf(ROOT))) };
    await unlessDuplicate(model.create(first));
    return (await read()) ?? first;
  };
  const secret = await masterKeys.unwrap((await read()) ?? (await begin()), contextOf(ROOT));

  return {
    records: createKeyRecords(model, masterKeys.firstKeyId, contextOf),
    /** Seals the secrets of webhooks. */
    secret,
    derived: (use: string): Buffer => createHmac('sha256', secret).update(use).digest(),
  };
};
