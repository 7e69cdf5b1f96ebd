import { createApp, type Reply, reply } from '@assay/http';
import type { Log } from '@assay/runtime';
import express, { type Express, type Request } from 'express';
import { refusalOf } from './aws-signature.ts';
import { decrypt, encrypt } from './ciphers.ts';

export interface KmsOptions {
  /** The secret of each access key. */
  secrets: ReadonlyMap<string, string>;
  /** Symmetric keys by id. */
  keys: ReadonlyMap<string, Buffer>;
  now: () => Date;
  log: Log;
}

interface Parameters {
  KeyId?: string;
  Plaintext?: string;
  CiphertextBlob?: string;
  EncryptionContext?: Record<string, string>;
}

const exception = (type: string): Reply => ({ status: 400, body: { __type: type, message: type } });
const LENGTH_BYTES = 1;

/** Additional data of the pairs of an encryption context, in the order of their names. */
const additional = (context: Record<string, string> = {}): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([one], [other]) => (one < other ? -1 : 1))));

/** A ciphertext begins with the id of its key, as those of KMS name theirs. */
const blobOf = (keyId: string, sealed: Buffer): string =>
  Buffer.concat([Buffer.of(keyId.length), Buffer.from(keyId), sealed]).toString('base64');

const actions: Record<string, (keys: KmsOptions['keys'], parameters: Parameters) => Reply> = {
  Encrypt: (keys, { KeyId = '', Plaintext = '', EncryptionContext }) => {
    const key = keys.get(KeyId);
    if (!key) return exception('NotFoundException');
    const sealed = encrypt(key, Buffer.from(Plaintext, 'base64'), additional(EncryptionContext));
    return {
      status: 200,
      body: { KeyId, CiphertextBlob: blobOf(KeyId, sealed), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' },
    };
  },
  Decrypt: (keys, { KeyId, CiphertextBlob = '', EncryptionContext }) => {
    const blob = Buffer.from(CiphertextBlob, 'base64');
    const end = LENGTH_BYTES + (blob[0] ?? 0);
    const keyId = blob.subarray(LENGTH_BYTES, end).toString();
    if (KeyId !== undefined && !keys.has(KeyId)) return exception('NotFoundException');
    if (KeyId !== undefined && KeyId !== keyId) return exception('IncorrectKeyException');
    const key = keys.get(keyId);
    const plain = key && decrypt(key, blob.subarray(end), additional(EncryptionContext));
    return plain
      ? { status: 200, body: { KeyId: keyId, Plaintext: plain.toString('base64') } }
      : exception('InvalidCiphertextException');
  },
};

/**
 * AWS KMS as far as keys are wrapped with it: JSON 1.1 with signatures of version 4, Encrypt and
 * Decrypt of symmetric keys with their encryption context.
 */
export const createKmsSimulator = ({ secrets, keys, now, log }: KmsOptions) => {
  const handle = ({ headers, path, body }: Request): Reply => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const refusal = refusalOf({ headers, path, body: bytes }, secrets, now());
    if (refusal) return exception(refusal);
    const action = actions[String(headers['x-amz-target']).replace(/^TrentService\./, '')];
    return action ? action(keys, JSON.parse(bytes.toString()) as Parameters) : exception('UnknownOperationException');
  };
  const routes = (app: Express): void => {
    app.post('/', express.raw({ type: () => true }), reply(handle));
  };
  return createApp({ service: 'kms', log, routes });
};
