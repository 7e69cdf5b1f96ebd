import { randomBytes } from 'node:crypto';
import { createApp, jsonBody, type Reply, reply } from '@assay/http';
import type { Log } from '@assay/runtime';
import type { Express, Request } from 'express';
import { decrypt, encrypt } from './ciphers.ts';

export interface VaultOptions {
  /** The token that is let in. */
  token: string;
  /**
   * Keys there are from the start, by name; they live as long as the process unless `keys` is given
   * again.
   */
  keys: Map<string, Buffer[]>;
  log: Log;
}

const data = (value: object): Reply => ({ status: 200, body: { request_id: 'simulated', data: value } });
const errors = (status: number, ...texts: string[]): Reply => ({ status, body: { errors: texts } });
const bytesOf = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : '', 'base64');

const encryptWith = (
  versions: Buffer[],
  { plaintext, associated_data, key_version: asked }: Record<string, unknown>,
): Reply => {
  const version = Number(asked) || versions.length;
  const key = versions[version - 1];
  if (!key) return errors(400, 'requested version for encryption is higher than the latest key version');
  const sealed = encrypt(key, bytesOf(plaintext), bytesOf(associated_data));
  return data({ ciphertext: `vault:v${version}:${sealed.toString('base64')}`, key_version: version });
};

const decryptWith = (versions: Buffer[], { ciphertext, associated_data }: Record<string, unknown>): Reply => {
  const [, version = '', sealed = ''] = /^vault:v(\d+):(.+)$/.exec(String(ciphertext)) ?? [];
  const key = versions[Number(version) - 1];
  if (!key) return errors(400, 'invalid ciphertext: no prefix, or a version that is not there');
  const plain = decrypt(key, Buffer.from(sealed, 'base64'), bytesOf(associated_data));
  return plain ? data({ plaintext: plain.toString('base64') }) : errors(400, 'cipher: message authentication failed');
};

/**
 * The engine `transit` of HashiCorp Vault and OpenBao, as far as keys are wrapped with it: encrypt,
 * decrypt, rotate and read a key of type aes256-gcm96.
 */
export const createVaultSimulator = ({ token, keys, log }: VaultOptions) => {
  const guarded = (handle: (versions: Buffer[], request: Request) => Reply) =>
    reply((request) => {
      if (request.headers['x-vault-token'] !== token) return errors(403, 'permission denied');
      const versions = keys.get(String(request.params.key));
      return versions
        ? handle(versions, request)
        : errors(request.method === 'GET' ? 404 : 400, 'encryption key not found');
    });
  const routes = (app: Express): void => {
    const json = jsonBody();
    app.post(
      '/v1/transit/encrypt/:key',
      json,
      guarded((versions, { body }) => encryptWith(versions, body)),
    );
    app.post(
      '/v1/transit/decrypt/:key',
      json,
      guarded((versions, { body }) => decryptWith(versions, body)),
    );
    app.post(
      '/v1/transit/keys/:key/rotate',
      json,
      guarded((versions) => {
        versions.push(randomBytes(32));
        return data({ latest_version: versions.length });
      }),
    );
    app.get(
      '/v1/transit/keys/:key',
      guarded((versions, { params }) =>
        data({ name: params.key, type: 'aes256-gcm96', latest_version: versions.length, min_decryption_version: 1 }),
      ),
    );
  };
  return createApp({ service: 'vault', log, routes });
};
