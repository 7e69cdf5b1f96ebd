import type { DocumentRule, JurisdictionRule, Source } from '../source.ts';
import { UNITED_STATES_WINDOWS } from './united-states-windows.ts';

/**
 * USA, driving licences: all of these (specification, Supported scope of issuing source
 * validation).
 */
const JURISDICTIONS =
  'AL AR AZ CO CT DC DE FL GA HI IA ID IL IN KS KY MA MD ME MI MO MS MT NC ND NE NJ NM NV OH OK OR RI SC SD TN TX VA VT WA WI WV WY'.split(
    ' ',
  );

/** Oklahoma answers government users only (non-SSA related). */
const forLicences = (code: string): JurisdictionRule => (code === 'OK' ? { userCategories: ['GOVERNMENT'] } : {});
const forIdentityCards = (code: string): JurisdictionRule =>
  code === 'DE' ? { someCardsOnly: true } : forLicences(code);
const WITHOUT_IDENTITY_CARDS: readonly string[] = ['NV', 'WI'];

const fields: DocumentRule['fields'] = {
  number: { need: 'REQUIRED' },
  dateOfBirth: { need: 'REQUIRED' },
  givenName: { need: 'REQUIRED' },
  surname: { need: 'REQUIRED' },
};

/**
 * The motor vehicle administrations of the USA, asked through AAMVA's Driver's License Data
 * Verification service.
 */
export const UNITED_STATES: Source = {
  name: 'AAMVA_DLDV',
  version: '2026-11-1',
  country: 'USA',
  normalisation: 'AAMVA',
  documents: [
    {
      type: 'DRIVING_LICENSE',
      modes: ['TEXT', 'IMAGE'],
      fields,
      jurisdictions: Object.fromEntries(JURISDICTIONS.map((code) => [code, forLicences(code)])),
    },
    {
      type: 'IDENTITY_CARD',
      modes: ['TEXT', 'IMAGE'],
      fields,
      jurisdictions: Object.fromEntries(
        JURISDICTIONS.filter((code) => !WITHOUT_IDENTITY_CARDS.includes(code)).map((code) => [
          code,
          forIdentityCards(code),
        ]),
      ),
    },
  ],
  windows: UNITED_STATES_WINDOWS,
  limits: { concurrent: 8, concurrentTotal: 64, perSecond: 20 },
};
