import type { Issuer } from './issuers.ts';

/**
 * What a licence or identity card says about itself and its holder, in the form this service uses.
 */
export interface AamvaReading {
  form: 'AAMVA' | 'MAGNETIC_STRIPE';
  iin: string;
  version: number;
  issuer?: Issuer;
  kind: 'DRIVING_LICENSE' | 'IDENTITY_CARD';
  documentNumber?: string;
  surname?: string;
  givenNames: string[];
  /** The holder has given names that the barcode does not say (UNAVL), not none (NONE). */
  givenNamesUnknown?: true;
  nameSuffix?: string;
  /** Elements that the issuer marked as truncated. */
  truncated: ('surname' | 'givenName' | 'middleName')[];
  birthDate?: string;
  expiryDate?: string;
  /** The issuer says that the card has no last day. */
  neverExpires?: true;
  issuingDate?: string;
  sex?: 'M' | 'F' | 'X';
  /** Feet and inches in the form the issuing source takes, "507" for 5'7". */
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
