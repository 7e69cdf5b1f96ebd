import type { SignatureReply, SigningKeyRotation, SigningKeysReply } from '@assay/contracts';
import type { PublicJwk } from '../domain/signing-keys.ts';

/** The public half of the key that signs now. */
interface PublishedKey {
  kid: string;
  publicPem: string;
  certificatePem?: string;
}

/**
 * Whoever holds the signing key: this service (`flows/local-signer`), or a key management service
 * behind a small protocol (`clients/remote-signer`).
 */
export interface Signer {
  /**
   * A compact JWS over exactly these characters: RS256, and a header that holds nothing but the
   * algorithm.
   */
  sign(content: string): Promise<SignatureReply>;
  /** Current and former public keys, and the next one during an overlap. */
  publicKeys(): Promise<PublicJwk[]>;
  current(): Promise<PublishedKey>;
  /** The published keys and when each signs, as far as the holder says; newest first. */
  list(): Promise<SigningKeysReply>;
  /**
   * Makes the next key, one for each `rotationId`; absent where another party holds the keys.
   */
  rotate?(rotation: SigningKeyRotation, rotationId?: string): Promise<void>;
}
