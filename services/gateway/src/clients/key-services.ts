import type { Clock, Log } from '@assay/runtime';
import { createLocalKeys, joinKeyServices, type KeyService } from '@assay/sealing';
import { createKmsKeys } from './kms-keys.ts';
import { createVaultKeys } from './vault-keys.ts';

/** What the gateway's environment says of master keys. */
export interface KeySettings {
  MASTER_KEY: Buffer;
  WRAPPING_KEYS: readonly string[];
  VAULT_ADDR: string | undefined;
  VAULT_TOKEN_PATH: string | undefined;
  VAULT_TRANSIT_KEY: string;
  VAULT_TRANSIT_MOUNT: string;
  VAULT_NAMESPACE: string | undefined;
  KMS_KEY_IDS: readonly string[];
  KMS_ENDPOINT: string | undefined;
  AWS_REGION: string | undefined;
  AWS_ACCESS_KEY_ID: string | undefined;
  AWS_SECRET_ACCESS_KEY: string | undefined;
  AWS_SESSION_TOKEN: string | undefined;
}

interface Deps {
  now: Clock;
  log: Log;
}

const KEY_BYTES = 32;

const wrappingKeyOf = (text: string): Buffer => {
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES) throw new Error('configuration: WRAPPING_KEYS is not a list of 32 bytes in base64');
  return key;
};

const kmsOf = (settings: KeySettings, { now, log }: Deps): KeyService[] => {
  const { KMS_KEY_IDS: keyIds, AWS_REGION: region, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = settings;
  if (keyIds.length === 0) return [];
  if (!region || !AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error('configuration: KMS_KEY_IDS needs AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const endpoint = settings.KMS_ENDPOINT ?? `https://kms.${region}.amazonaws.com`;
  const credentials = {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: settings.AWS_SESSION_TOKEN,
  };
  return [createKmsKeys({ endpoint, region, credentials, keyIds, now, log })];
};

const vaultOf = (settings: KeySettings, { log }: Deps): KeyService[] => {
  const { VAULT_ADDR: address, VAULT_TOKEN_PATH: tokenPath, VAULT_TRANSIT_KEY: key } = settings;
  if (!address) return [];
  if (!tokenPath) throw new Error('configuration: VAULT_ADDR needs VAULT_TOKEN_PATH');
  const { VAULT_TRANSIT_MOUNT: mount, VAULT_NAMESPACE: namespace } = settings;
  return [createVaultKeys({ address, tokenPath, key, mount, namespace, log })];
};

/**
 * Every place that master keys of this installation are in: AWS KMS, Vault, this process. The first
 * key of the first place should wrap; the others unwrap what they wrapped.
 * @throws where the settings of a place have a gap
 */
export const openKeyServices = (settings: KeySettings, deps: Deps): KeyService =>
  joinKeyServices([
    ...kmsOf(settings, deps),
    ...vaultOf(settings, deps),
    createLocalKeys([...settings.WRAPPING_KEYS.map(wrappingKeyOf), settings.MASTER_KEY]),
  ]);
