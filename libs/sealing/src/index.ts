/** Keeping personal data unreadable without the identity's own key: sealing, streams, wrapped keys. */
export { createKeyring, type Keyring } from './keyring.ts';
export {
  mediaContext,
  newDataKey,
  open,
  openJson,
  seal,
  sealingContext,
  sealJson,
  unwrapKey,
  wrapKey,
} from './sealing.ts';
export { openStream, sealStream } from './streams.ts';
