/** Sealing of personal data with the key of the identity: values, streams, wrapped keys. */
export { type CachedKey, createKeyring, type FetchKey, KEY_CACHED_MS, type Keyring } from './keyring.ts';
export { createLocalKeys, joinKeyServices, type KeyService, localKeyId } from './master-keys.ts';
export {
  mediaContext,
  newDataKey,
  noticeKeyOf,
  open,
  openJson,
  seal,
  sealingContext,
  sealJson,
  unwrapKey,
  wrapKey,
} from './sealing.ts';
export { createSealingKeys, type SealingKeys } from './sealing-keys.ts';
export { isSealedStreamAltered, openBytes, openStream, sealBytes, sealStream } from './streams.ts';
