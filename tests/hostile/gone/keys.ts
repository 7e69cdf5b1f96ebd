import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readInternalKeys, type ServiceName } from '@assay/http';
import { noticeKeyOf } from '@assay/sealing';
import { exportOf, ofKeys } from '../../setup/holdings.ts';
import { decrypted, wordsIn } from './opening.ts';

const KEY_BYTES = 32;
/** Nonce, key and tag in base64url. */
const WRAPPED_LETTERS = 80;

interface Secrets {
  masterKey: string;
  internalKeys: Record<ServiceName, string>;
}

/** The secrets of every service of the suite under test. */
export const secretsOfSuite = (): Secrets =>
  JSON.parse(readFileSync(join(dirname(process.env.TEST_STACK_FILE!), 'secrets.json'), 'utf8')) as Secrets;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** What the environments of the services hold, and what they make of it. */
const keysOfServices = ({ masterKey, internalKeys }: Secrets): Buffer[] => {
  const services = Object.keys(internalKeys) as ServiceName[];
  const sealing = services.map((service) => hmac(Buffer.from(masterKey, 'base64'), service));
  const shared = services.flatMap((service) => [
    ...readInternalKeys(service, internalKeys[service]).sharedKeys.values(),
  ]);
  return [Buffer.from(masterKey, 'base64'), ...sealing, ...sealing.map((key) => hmac(key, 'idempotency')), ...shared];
};

/**
 * Every key the operator has at this moment: the services' own, and all that the databases of keys
 * hold under these.
 */
export const everyKey = async (): Promise<Buffer[]> => {
  const own = keysOfServices(secretsOfSuite());
  const stores = await exportOf((name) => !ofKeys(name));
  const wrapped = [...stores.values()].flat().flatMap(wordsIn);
  const stored = wrapped
    .filter((word) => word.length === WRAPPED_LETTERS)
    .flatMap((word) => own.map((key) => decrypted(key, word)))
    .filter((key) => key.length === KEY_BYTES);
  return [...own, ...stored, ...stored.map(noticeKeyOf)];
};

/** The keys of one identity, as its record in the database of keys gives them. */
export const keysOfIdentity = async (identityId: string): Promise<Buffer[]> => {
  const gateway = hmac(Buffer.from(secretsOfSuite().masterKey, 'base64'), 'gateway');
  const stores = await exportOf((name) => !/keys\.identityKeys$/.test(name));
  const record = [...stores.values()].flat().find((document) => document.includes(identityId));
  const wrapped = record ? wordsIn(record).filter((word) => word.length === WRAPPED_LETTERS) : [];
  const keys = wrapped.map((word) => decrypted(gateway, word));
  return [...keys, ...keys.map(noticeKeyOf)];
};
