import type { TrustData, TrustLevel } from '@assay/chip';

/** One certificate or list of the trust store. */
export interface StoredTrust {
  sha256: string;
  kind: 'AUTHORITY' | 'SIGNER' | 'REVOCATION_LIST';
  level: TrustLevel;
  der: Uint8Array;
  country: string;
  subject: string;
  serialNumber?: string;
  notBefore: Date;
  notAfter?: Date;
}

/** The trust store as it is stored. */
export interface Trust {
  version: number;
  data: TrustData;
}
