/** A kind of document that can be submitted as an image. */
export interface SupportedDocument {
  documentType: 'PASSPORT' | 'IDENTITY_CARD' | 'RESIDENT_CARD' | 'DRIVING_LICENSE';
  /** Format of ISO/IEC 7810: ID3 is a passport's page, ID1 a card. */
  format: 'ID1' | 'ID3';
  liveVideoCaptureSupported: boolean;
}

export interface CountryScope {
  iso3CountryCode: string;
  documents: SupportedDocument[];
}

/** Countries whose driving licences carry what is read: a PDF417 barcode, or data an issuing source can be asked about. */
const LICENCES: readonly string[] = ['USA', 'CAN', 'AUS'];

const document = (documentType: SupportedDocument['documentType'], format: 'ID1' | 'ID3'): SupportedDocument => ({
  documentType,
  format,
  liveVideoCaptureSupported: true,
});

/** What can be submitted of a country: every document with a machine-readable zone of ICAO 9303, and the licences that can be read. */
export const scopeOf = (iso3CountryCode: string): CountryScope => ({
  iso3CountryCode,
  documents: [
    document('PASSPORT', 'ID3'),
    document('IDENTITY_CARD', 'ID1'),
    document('RESIDENT_CARD', 'ID1'),
    ...(LICENCES.includes(iso3CountryCode) ? [document('DRIVING_LICENSE', 'ID1')] : []),
  ],
});
