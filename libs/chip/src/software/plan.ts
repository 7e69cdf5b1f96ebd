import type { Digest } from '../keys/digests.ts';
import type { DateForm } from './data-groups.ts';
import type { KeyKind, KeySource, SignatureForm } from './keys.ts';
import type { Passport } from './machine-lines.ts';
import type { SignerNaming } from './signed-data.ts';

/** What can be wrong with a chip. */
export const CHIP_FAULTS = ['dg-altered', 'wrong-signer', 'unknown-csca', 'cloned', 'expired-signer'] as const;

export type ChipFault = (typeof CHIP_FAULTS)[number];

/** How to make a chip. Everything has a usual value; issuers differ in each. */
export interface ChipPlan {
  readonly passport: Passport;
  readonly now: Date;
  readonly fault?: ChipFault;
  readonly format?: 'TD1' | 'TD2' | 'TD3';
  /** A JPEG or JPEG 2000 picture. */
  readonly portrait?: Uint8Array;
  readonly portraitEncoding?: '19794' | '39794';
  readonly signatureImage?: Uint8Array;
  readonly dateForm?: DateForm;
  readonly dateOfIssue?: string;
  readonly activeAuthentication?: 'RSA' | 'ECDSA' | 'none';
  readonly activeAuthenticationKey?: KeyKind;
  readonly activeAuthenticationDigest?: Digest;
  readonly activeAuthenticationEncoding?: 'ieee-p1363' | 'der';
  readonly chipAuthentication?: 'ECDH' | 'none';
  readonly chipAuthenticationKey?: { readonly curve: string; readonly explicit?: boolean };
  /**
   * 1 is 3DES; 2, 3 and 4 are AES of 128, 192 and 256 bits. `none`: the chip names only the key, as
   * some chips do; that means 3DES.
   */
  readonly chipAuthenticationCipher?: 1 | 2 | 3 | 4 | 'none';
  readonly chipAuthenticationKeyId?: number;
  readonly signerKey?: KeyKind;
  readonly form?: SignatureForm;
  /** The digest of the hashes, if it differs from the signature's. */
  readonly ldsDigest?: Digest;
  readonly ldsVersion?: 0 | 1;
  readonly contentType?: string;
  readonly naming?: SignerNaming;
  readonly ber?: boolean;
  readonly withoutSigningTime?: boolean;
  readonly withoutCertificate?: boolean;
  readonly withoutIssuerKey?: boolean;
  readonly otherCertificates?: readonly Buffer[];
  readonly keys?: KeySource;
}
