import { generateKeyPairSync } from 'node:crypto';
import { type InternalKeys, readInternalKeys, SERVICE_NAMES, type ServiceName } from '@assay/http';

const pairs = new Map(
  SERVICE_NAMES.map((service) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = {
      privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
    };
    return [service, pem];
  }),
);
const publicKeys = Object.fromEntries([...pairs].map(([service, { publicKey }]) => [service, publicKey]));

/** The keys of a service for tests. All services of one test process know each other's keys. */
export const testKeys = (service: ServiceName): InternalKeys =>
  readInternalKeys(service, JSON.stringify({ privateKey: pairs.get(service)?.privateKey, publicKeys }));
