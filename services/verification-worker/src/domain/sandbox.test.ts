import { SANDBOX_OUTCOMES } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { playedIndicators, playOfData } from './sandbox.ts';

describe('the catalogue', () => {
  test('names each outcome, and each value of a kind, once', () => {
    const names = SANDBOX_OUTCOMES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const values = SANDBOX_OUTCOMES.flatMap(({ kind, data }) => (data ? [`${kind} ${data.value}`] : []));
    expect(new Set(values).size).toBe(values.length);
  });

  test('is played by a value of its own alone', () => {
    expect(playOfData('documentText', { idDocumentNumber: 'SBX00002' })).toEqual({ outcome: 'text-denied' });
    expect(playOfData('documentText', { idDocumentNumber: 'SBX99999' })).toBeUndefined();
    expect(playOfData('healthCard', { idDocumentNumber: 'SBX00002' })).toBeUndefined();
    expect(playOfData('documentImage', undefined)).toBeUndefined();
  });
});

test('a later indicator replaces the former one of its check', () => {
  const expired = SANDBOX_OUTCOMES.find(({ name }) => name === 'document-expired')!;
  const raised = playedIndicators(expired, ['PORTRAIT_FAILED']);
  expect(raised).toEqual(expect.arrayContaining(['DOC_EXPIRATION_DATE_FAILED', 'PORTRAIT_FAILED', 'MRZ_CHECKSUMS_OK']));
  expect(raised).not.toContain('DOC_EXPIRATION_DATE_OK');
  expect(raised).not.toContain('PORTRAIT_OK');
});
