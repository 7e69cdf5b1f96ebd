import { readFile } from 'node:fs/promises';
import type { Log } from '@assay/runtime';
import type { KeyService } from '@assay/sealing';
import { refusedKeyCall, sendKeyCall, startCounting, unwrappedKey, wrappedKey } from './key-call.ts';

const SERVICE = 'vault';
/** What Transit answers 400 with where the wrapped key, or its context, is not what it was. */
const NOT_OURS = /message authentication failed|invalid ciphertext|unable to decrypt|could not be decoded/i;

export interface VaultOptions {
  address: string;
  /**
   * File with the token; read anew for each call, as an agent writes a new one before the former
   * ends.
   */
  tokenPath: string;
  /** Name of the key: of type aes256-gcm96. */
  key: string;
  mount: string;
  namespace?: string | undefined;
  log: Log;
}

interface Answered {
  data?: {
    ciphertext?: string;
    plaintext?: string;
    latest_version?: number;
    min_decryption_version?: number;
  };
  errors?: string[];
}

const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');

/** Not there while the agent has not written it: that passes, as a refusal does. */
const readToken = async (path: string, call: string, log: Log): Promise<string> => {
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw refusedKeyCall(SERVICE, call, `the token cannot be read: ${code}`, log);
  });
  return text.trim();
};

/**
 * HashiCorp Vault's engine `transit`, or OpenBao's: each version of one key is a master key, which
 * never leaves the server.
 */
export const createVaultKeys = ({ address, tokenPath, key, mount, namespace, log }: VaultOptions): KeyService => {
  startCounting(SERVICE, ['wrap', 'unwrap', 'list', 'make']);
  const prefix = `${SERVICE}:${key}:v`;
  const ask = async (call: string, method: 'GET' | 'POST', path: string, body?: object): Promise<Answered> => {
    const token = await readToken(tokenPath, call, log);
    const { status, body: answer } = await sendKeyCall(
      {
        service: SERVICE,
        call,
        method,
        url: `${address}/v1/${mount}/${path}`,
        headers: {
          'x-vault-token': token,
          'x-vault-request': 'true',
          'content-type': 'application/json',
          ...(namespace ? { 'x-vault-namespace': namespace } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      },
      log,
    );
    const answered = answer as Answered;
    if (status < 400) return answered;
    const reason = `${status} ${(answered.errors ?? []).join('; ')}`;
    if (status === 400 && NOT_OURS.test(reason)) throw new Error(`vault cannot unwrap: ${reason}`);
    throw refusedKeyCall(SERVICE, call, reason, log);
  };
  const missing = (call: string): never => {
    throw refusedKeyCall(SERVICE, call, 'the answer lacks what was asked for', log);
  };
  const versionOf = (keyId: string): number => {
    if (!keyId.startsWith(prefix)) throw refusedKeyCall(SERVICE, 'version', 'a key of another name', log);
    return Number(keyId.slice(prefix.length));
  };
  const name = encodeURIComponent(key);
  const list = async (): Promise<string[]> => {
    const { data } = await ask('list', 'GET', `keys/${name}`);
    const [latest, oldest] = [data?.latest_version ?? missing('list'), data?.min_decryption_version ?? 1];
    return Array.from({ length: latest - oldest + 1 }, (_, index) => `${prefix}${latest - index}`);
  };

  return {
    name: SERVICE,
    list,
    wrap: async (keyId, plain, context) => {
      const body = { plaintext: base64(plain), associated_data: base64(context), key_version: versionOf(keyId) };
      return wrappedKey(SERVICE, (await ask('wrap', 'POST', `encrypt/${name}`, body)).data?.ciphertext, log);
    },
    unwrap: async (keyId, wrapped, context) => {
      versionOf(keyId);
      const body = { ciphertext: wrapped, associated_data: base64(context) };
      const { data } = await ask('unwrap', 'POST', `decrypt/${name}`, body);
      return unwrappedKey(SERVICE, data?.plaintext, log);
    },
    make: async () => {
      await ask('make', 'POST', `keys/${name}/rotate`, {});
      return (await list())[0] ?? missing('make');
    },
  };
};
