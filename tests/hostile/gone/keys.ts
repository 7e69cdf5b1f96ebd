import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readInternalKeys, type ServiceName } from '@assay/http';
import { noticeKeyOf } from '@assay/sealing';
import { exportOf, ofKeys } from '../../setup/holdings.ts';
import { decrypted, wordsIn } from './opening.ts';

/** The length of nonce, key and tag in base64url. */
const WRAPPED_LETTERS = 80;

interface Secrets {
  masterKey: string;
  internalKeys: Record<ServiceName, string>;
}

/** The secrets of every service of the suite under test. */
export const secretsOfSuite = (): Secrets =>
  JSON.parse(readFileSync(join(dirname(process.env.TEST_STACK_FILE!), 'secrets.json'), 'utf8')) as Secrets;

/** The service whose key wraps the keys in a database of keys. */
const KEEPERS: Record<string, ServiceName> = { assay_keys: 'gateway', assay_proof_keys: 'proof-builder' };

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const wrappingKeyOf = ({ masterKey }: Secrets, service: ServiceName): Buffer =>
  hmac(Buffer.from(masterKey, 'base64'), service);

/** The keys in the environments of the services, and the keys derived from them. */
const keysOfServices = (secrets: Secrets): Buffer[] => {
  const { masterKey, internalKeys } = secrets;
  const services = Object.keys(internalKeys) as ServiceName[];
  const sealing = services.map((service) => wrappingKeyOf(secrets, service));
  const shared = services.flatMap((service) => [
    ...readInternalKeys(service, internalKeys[service]).sharedKeys.values(),
  ]);
  return [Buffer.from(masterKey, 'base64'), ...sealing, ...sealing.map((key) => hmac(key, 'idempotency')), ...shared];
};

/**
 * Every key that the operator has at this moment: the services' own keys, and all keys that these
 * unwrap in the databases of keys.
 */
export const everyKey = async (): Promise<Buffer[]> => {
  const secrets = secretsOfSuite();
  const own = keysOfServices(secrets);
  const stores = await exportOf((name) => !ofKeys(name));
  const stored = [...stores].flatMap(([name, documents]) => {
    const keeper = KEEPERS[name.slice(0, name.indexOf('.'))];
    const wrapping = keeper ? [wrappingKeyOf(secrets, keeper)] : own;
    return documents
      .flatMap(wordsIn)
      .filter((word) => word.length === WRAPPED_LETTERS)
      .flatMap((word) => wrapping.map((key) => decrypted(key, word)));
  });
  return [...own, ...stored, ...stored.map(noticeKeyOf)];
};

/** The keys of one identity, from its record in the database of keys. */
export const keysOfIdentity = async (identityId: string): Promise<Buffer[]> => {
  const gateway = wrappingKeyOf(secretsOfSuite(), 'gateway');
  const stores = await exportOf((name) => !/keys\.identityKeys$/.test(name));
  const record = [...stores.values()].flat().find((document) => document.includes(identityId));
  const wrapped = record ? wordsIn(record).filter((word) => word.length === WRAPPED_LETTERS) : [];
  const keys = wrapped.map((word) => decrypted(gateway, word));
  return [...keys, ...keys.map(noticeKeyOf)];
};
