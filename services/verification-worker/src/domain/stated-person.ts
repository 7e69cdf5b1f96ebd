import type { AddressData } from '@assay/contracts';
import type { StatedNames } from './stated-names.ts';

/** The person as an evidence states it: personal data, sealed wherever they are stored. */
export interface StatedPerson extends StatedNames {
  dateOfBirth?: string;
  gender?: string;
  eyeColor?: string;
  height?: string;
  address?: AddressData;
  document?: { type: string; number: string; country?: string; byChip?: boolean };
  /** The lines of the machine-readable zone, joined; only if it was read without doubt. */
  zone?: string;
  /** What no check digit of that zone covers, as its names, was not surely read. */
  zoneUnsure?: true;
}
