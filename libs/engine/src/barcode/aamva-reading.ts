import type { Issuer } from './issuers.ts';

/** What a licence or identity card says about itself and its holder, in the service's own form. */
export interface AamvaReading {
  form: 'AAMVA' | 'MAGNETIC_STRIPE';
  iin: string;
  version: number;
  issuer?: Issuer;
  kind: 'DRIVING_LICENSE' | 'IDENTITY_CARD';
  documentNumber?: string;
  surname?: string;
  givenNames: string[];
  nameSuffix?: string;
  /** Elements the issuer marked as cut to fit. */
  truncated: ('surname' | 'givenName' | 'middleName')[];
  birthDate?: string;
  expiryDate?: string;
  issuingDate?: string;
  sex?: 'M' | 'F' | 'X';
  /** Feet and inches as the issuing source takes them, "507" for 5'7". */
  height?: string;
  /** Pounds. */
  weight?: string;
  /** Three-letter AAMVA colour. */
  eyeColor?: string;
  address?: { streetLines: string[]; city?: string; state?: string; postcode?: string; country?: string };
  /** Everything as printed, by element id. */
  elements: Readonly<Record<string, string>>;
  warnings: string[];
}
