import type { AddressData } from '@assay/contracts';
import type { StatedNames } from './names.ts';

/** What an evidence states of the person; personal data, sealed wherever it is stored. */
export interface StatedPerson extends StatedNames {
  dateOfBirth?: string;
  gender?: string;
  eyeColor?: string;
  height?: string;
  address?: AddressData;
  document?: { type: string; number: string; country?: string; byChip?: boolean };
  /** The machine-readable zone, where it was read without doubt: its lines in one. */
  zone?: string;
}
