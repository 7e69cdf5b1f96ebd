import { present } from '@assay/contracts';
import type { JurisdictionRule, Source } from '../source.ts';

const REQUIRED = { need: 'REQUIRED' } as const;
const person = { givenName: {}, surname: REQUIRED, dateOfBirth: REQUIRED };

/**
 * Where the card number is compared, a licence without it cannot be (since 1 September 2022;
 * Queensland and Victoria vary by card).
 */
const licence = (number: string, card: 'REQUIRED' | 'EXPECTED' | 'OPTIONAL', pattern?: string): JurisdictionRule => ({
  fields: { number: { ...REQUIRED, pattern: number }, cardNumber: { need: card, ...present({ pattern }) } },
});

/**
 * Australia: the document verification system (specification, Supported scope of issuing source
 * validation).
 */
export const AUSTRALIA: Source = {
  name: 'DVS',
  version: '2026-11-1',
  country: 'AUS',
  normalisation: 'DVS',
  documents: [
    {
      type: 'DRIVING_LICENSE',
      modes: ['TEXT', 'IMAGE'],
      fields: person,
      jurisdictions: {
        ACT: licence('^\\d{1,10}$', 'REQUIRED'),
        NSW: licence('^[A-Z0-9]{6,8}$', 'REQUIRED', '^\\d{10}$'),
        NT: licence('^\\d{1,10}$', 'REQUIRED'),
        QLD: licence('^\\d{8,9}$', 'EXPECTED', '^[A-Z0-9]{10}$'),
        SA: licence('^[A-Z0-9]{6}$', 'REQUIRED'),
        TAS: licence('^[A-Z0-9]{6,8}$', 'REQUIRED'),
        VIC: licence('^\\d{1,10}$', 'OPTIONAL'),
        WA: licence('^\\d{7}$', 'REQUIRED'),
      },
    },
    {
      type: 'PASSPORT',
      modes: ['TEXT'],
      fields: { ...person, number: { ...REQUIRED, pattern: '^[A-Z]{1,2}\\d{7}$' }, gender: REQUIRED },
    },
    // An ImmiCard.
    {
      type: 'RESIDENT_CARD',
      modes: ['TEXT'],
      fields: { ...person, number: REQUIRED, expiryDate: { need: 'EXPECTED' } },
    },
    // `number` is that of the passport the visa is linked to, `passportCountry` the country that
    // issued it.
    { type: 'VISA', modes: ['TEXT'], fields: { ...person, number: REQUIRED, passportCountry: { need: 'EXPECTED' } } },
    {
      type: 'MEDICARE',
      modes: ['HEALTH_CARD'],
      fields: {
        number: { ...REQUIRED, pattern: '^\\d{10}$' },
        individualReference: { pattern: '^[1-9]$' },
        cardType: REQUIRED,
        expiryDate: REQUIRED,
        fullName: REQUIRED,
        dateOfBirth: REQUIRED,
      },
    },
  ],
  windows: [],
  limits: { concurrent: 16, concurrentTotal: 64, perSecond: 50 },
};
