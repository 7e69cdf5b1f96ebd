import countries from 'i18n-iso-countries';
import { table } from '../table.ts';

/**
 * Issuing states of a machine-readable zone whose certificates bear a country that ISO 3166 does
 * not give them.
 */
const EXCEPTIONS = table<string>({
  D: 'DE',
  RKS: 'KS',
  EUE: 'EU',
  UNO: 'UN',
  UNA: 'UN',
  UNK: 'UN',
  GBD: 'GB',
  GBN: 'GB',
  GBO: 'GB',
  GBP: 'GB',
  GBS: 'GB',
  // Specimens.
  UTO: 'UT',
});

/**
 * The country that certificates bear for an issuing state, of two letters; undefined for a state we
 * do not know.
 */
export const certificateCountryOf = (issuingState: string): string | undefined =>
  EXCEPTIONS[issuingState] ?? countries.alpha3ToAlpha2(issuingState);
