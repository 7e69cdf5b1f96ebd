import countries from 'i18n-iso-countries';
import { table } from '../table.ts';

/**
 * Issuing states whose certificates have another country code than ISO 3166 gives, or for which ISO
 * 3166 has none.
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
  // The code of specimens.
  UTO: 'UT',
});

/**
 * The two letters of the country that certificates have for an issuing state; undefined for a state
 * we do not know.
 */
export const certificateCountryOf = (issuingState: string): string | undefined =>
  EXCEPTIONS[issuingState] ?? countries.alpha3ToAlpha2(issuingState);

/** The letters that ICAO gives to organisations; some use those of the zone instead. */
const ORGANISATIONS = table<string>({ XOM: 'XO', XPO: 'XP' });

/** Whether a certificate's letters are those of an organisation that ISO 3166 has no code for. */
export const isOrganisation = (issuingState: string, letters: string | undefined): boolean =>
  letters !== undefined && (letters === issuingState || letters === ORGANISATIONS[issuingState]);
