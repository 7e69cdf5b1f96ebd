import type { IdDocumentData } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { accessKeyOf, isDocumentImage } from './access-key.ts';

const read: IdDocumentData = {
  idDocumentNumber: 'D231458',
  expiryDate: '2035-04-15',
  personalAttributes: { dateOfBirth: { value: '1974-08-12', verified: true } },
};

describe('the access key of a chip', () => {
  test('has the form of the access protocols: a padded number, dates without century', () => {
    const key = { documentNumber: 'D231458<<', dateOfBirth: '740812', dateOfExpiry: '350415' };
    expect(accessKeyOf('PASSPORT', read)).toEqual(key);
  });

  test('is unknown for a document without a machine-readable zone, or with too little read from it', () => {
    expect(accessKeyOf('DRIVING_LICENSE', read)).toBeUndefined();
    expect(accessKeyOf('PASSPORT', { idDocumentNumber: 'D231458' })).toBeUndefined();
    expect(accessKeyOf('PASSPORT', undefined)).toBeUndefined();
  });

  test.each([
    ['PASSPORT', 'ID_DOCUMENT_CAPTURE', true],
    ['ID_DOCUMENT', 'ID_DOCUMENT_LIVE_CAPTURE', true],
    ['PASSPORT', 'ID_DOCUMENT', false],
    ['PASSPORT', 'EVIDENCE_NFC_VERIFICATION', false],
    ['PORTRAIT', 'PORTRAIT_CAPTURE', false],
  ] as const)('comes from %s by %s: %p', (type, operation, expected) => {
    expect(isDocumentImage({ type, operation })).toBe(expected);
  });
});
