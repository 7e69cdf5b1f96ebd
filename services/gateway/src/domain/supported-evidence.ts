import { LICENCE_COUNTRIES, ZONE_TYPES } from '@assay/engine/issuers';

/** A kind of document that can be submitted as an image. */
interface SupportedDocument {
  documentType: 'PASSPORT' | 'IDENTITY_CARD' | 'RESIDENT_CARD' | 'DRIVING_LICENSE';
  /** Format of ISO/IEC 7810: ID3 is a passport's page, ID1 a card. */
  format: 'ID1' | 'ID3';
  liveVideoCaptureSupported: boolean;
}

export interface CountryScope {
  iso3CountryCode: string;
  documents: SupportedDocument[];
}

/** Territories that have no inhabitants of their own, and issue no documents. */
const WITHOUT_PASSPORTS: readonly string[] = ['ATA', 'ATF', 'BVT', 'HMD', 'IOT', 'SGS', 'UMI'];

/** States that issue no identity card with a machine-readable zone. */
const WITHOUT_IDENTITY_CARDS: readonly string[] = ['AUS', 'CAN', 'DNK', 'GBR', 'NZL'];

const FORMATS = { PASSPORT: 'ID3', IDENTITY_CARD: 'ID1', RESIDENT_CARD: 'ID1', DRIVING_LICENSE: 'ID1' } as const;
const TYPES = ['PASSPORT', 'IDENTITY_CARD', 'RESIDENT_CARD', 'DRIVING_LICENSE'] as const;

/** Whether any document of a country can be submitted. */
export const isSupported = (iso3CountryCode: string): boolean => !WITHOUT_PASSPORTS.includes(iso3CountryCode);

const isIssued = (documentType: (typeof TYPES)[number], country: string): boolean => {
  if (documentType === 'DRIVING_LICENSE') return LICENCE_COUNTRIES.includes(country);
  if (documentType === 'IDENTITY_CARD' && WITHOUT_IDENTITY_CARDS.includes(country)) return false;
  return ZONE_TYPES.includes(documentType);
};

/**
 * The documents of a country that can be submitted, by the registry of the engine: those with a
 * machine-readable zone, and the known licences.
 */
export const scopeOf = (iso3CountryCode: string): CountryScope => ({
  iso3CountryCode,
  documents: TYPES.filter((documentType) => isIssued(documentType, iso3CountryCode)).map((documentType) => ({
    documentType,
    format: FORMATS[documentType],
    liveVideoCaptureSupported: true,
  })),
});
