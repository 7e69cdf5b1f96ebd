import type { Clock, Log } from '@assay/runtime';
import type { KeyService } from '@assay/sealing';
import { type AwsCredentials, signedHeaders } from './aws-signature.ts';
import { refusedKeyCall, sendKeyCall, startCounting, unwrappedKey, wrappedKey } from './key-call.ts';

const SERVICE = 'kms';
/** What KMS refuses for good: the wrapped key or its context is not what it was. */
const NOT_OURS = /^(InvalidCiphertextException|IncorrectKeyException)$/;

export interface KmsOptions {
  endpoint: string;
  region: string;
  credentials: AwsCredentials;
  /** Ids, ARNs or aliases of symmetric keys, the one that should wrap first. */
  keyIds: readonly string[];
  now: Clock;
  log: Log;
}

interface Answered {
  CiphertextBlob?: string;
  Plaintext?: string;
  __type?: string;
}

/** AWS KMS, or what speaks its protocol: keys that never leave it. */
export const createKmsKeys = ({ endpoint, region, credentials, keyIds, now, log }: KmsOptions): KeyService => {
  startCounting(SERVICE, ['encrypt', 'decrypt']);
  const ask = async (action: 'Encrypt' | 'Decrypt', parameters: object): Promise<Answered> => {
    const body = JSON.stringify(parameters);
    const url = `${endpoint}/`;
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${action}` };
    const { status, body: answer } = await sendKeyCall(
      {
        service: SERVICE,
        call: action.toLowerCase(),
        url,
        method: 'POST',
        body,
        headers: signedHeaders({ url, headers, body, region, service: SERVICE, credentials, now: now() }),
      },
      log,
    );
    const answered = answer as Answered;
    if (status < 400) return answered;
    const type = answered.__type?.split('#').at(-1) ?? String(status);
    if (NOT_OURS.test(type)) throw new Error(`KMS cannot unwrap: ${type}`);
    throw refusedKeyCall(SERVICE, action.toLowerCase(), type, log);
  };
  const idOf = (keyId: string): string => keyId.slice(SERVICE.length + 1);
  const contextOf = (context: string) => ({ assay: context });

  return {
    name: SERVICE,
    list: async () => keyIds.map((id) => `${SERVICE}:${id}`),
    wrap: async (keyId, key, context) => {
      const parameters = {
        KeyId: idOf(keyId),
        Plaintext: key.toString('base64'),
        EncryptionContext: contextOf(context),
      };
      return wrappedKey(SERVICE, (await ask('Encrypt', parameters)).CiphertextBlob, log);
    },
    unwrap: async (keyId, wrapped, context) => {
      const parameters = { KeyId: idOf(keyId), CiphertextBlob: wrapped, EncryptionContext: contextOf(context) };
      return unwrappedKey(SERVICE, (await ask('Decrypt', parameters)).Plaintext, log);
    },
  };
};
