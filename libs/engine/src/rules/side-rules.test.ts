import { describe, expect, test } from '@jest/globals';
import { BACK, model, readingOf, ZONE } from '../testing/readings.ts';
import { faultsOf } from './document-faults.ts';
import { indicatorsOf } from './document-indicators.ts';
import { portraitSides } from './side-rules.ts';

const twoSided = { sides: ['FRONT' as const, 'BACK' as const] };
const card = (front: Parameters<typeof model>[0] | undefined) =>
  readingOf({
    back: BACK,
    mrz: { ...ZONE, format: 'TD1', side: 'BACK' },
    recognition: model('IDENTITY_CARD', 'MRZ', twoSided),
    sameSide: false,
    counterpartSeen: true,
    ...(front && { counterpartModel: model(front, 'LAYOUT') }),
  });

describe('front and back of two documents of one person', () => {
  test('the front of a licence is no side of an identity card', () => {
    const reading = card('DRIVING_LICENSE');
    const raised = indicatorsOf(reading);
    expect(raised).toEqual(
      expect.arrayContaining([
        'REQUIRED_SIDES_CHECK_FAILED',
        'EXPECTED_DOCUMENT_SIDES_FAILED',
        'MODEL_RECOGNIZED_WARNING',
      ]),
    );
    expect(faultsOf(reading, raised)).toContainEqual(expect.objectContaining({ code: '1508', field: 'DocumentFront' }));
    expect(portraitSides(reading)).toEqual({ sides: ['BACK'], surely: false });
  });

  test('its own front is, and one whose words say nothing', () => {
    for (const front of ['IDENTITY_CARD', 'RESIDENT_CARD', undefined] as const)
      expect(indicatorsOf(card(front))).toEqual(
        expect.arrayContaining(['REQUIRED_SIDES_CHECK_OK', 'EXPECTED_DOCUMENT_SIDES_OK', 'MODEL_RECOGNIZED_OK']),
      );
  });
});

test('sides are not distinguished if a second document was seen', () => {
  const raised = indicatorsOf({ ...card('IDENTITY_CARD'), several: 'FAILED' });
  expect(raised).toEqual(
    expect.arrayContaining([
      'REQUIRED_SIDES_CHECK_UNVERIFIED',
      'EXPECTED_DOCUMENT_SIDES_UNVERIFIED',
      'NO_MULTIPLE_DOCUMENT_CHECK_FAILED',
    ]),
  );
  const passport = readingOf({ recognition: model('PASSPORT', 'MRZ'), mrz: ZONE, several: 'FAILED' });
  expect(indicatorsOf(passport)).toContain('REQUIRED_SIDES_CHECK_OK');
});

describe('a page that is recognised by words alone', () => {
  const OKS = /^(MODEL_RECOGNIZED|REQUIRED_SIDES_CHECK|EXPECTED_DOCUMENT_SIDES|IMAGE_WITHOUT_DOCUMENT_CHECK)_OK$/;
  const value = (text: string) => ({ value: text, source: 'VISUAL' as const, confirmed: false });
  const values = { documentNumber: value('1234567'), surname: value('SMITH'), birthDate: value('1980-01-01') };

  test('is reported neither as a document nor as its right side', () => {
    const letter = readingOf({ recognition: model('PASSPORT', 'LAYOUT') });
    expect(indicatorsOf(letter).filter((name) => OKS.test(name))).toEqual([]);
  });

  test('of an Australian licence counts once the values were read that its issuer is asked about', () => {
    const australian = model('DRIVING_LICENSE', 'LAYOUT', { complete: true });
    expect(indicatorsOf(readingOf({ recognition: australian })).filter((name) => OKS.test(name))).toEqual([]);
    const read = readingOf({ recognition: australian, data: { givenNames: [], ...values } });
    expect(indicatorsOf(read).filter((name) => OKS.test(name))).toHaveLength(4);
  });
});

test('an issuer is compared with the declared one only', () => {
  const passport = { recognition: model('PASSPORT', 'MRZ'), mrz: ZONE };
  const issuer = (jurisdiction?: string) =>
    indicatorsOf(readingOf({ ...passport, details: { ...(jurisdiction && { jurisdiction }) } })).filter((name) =>
      name.startsWith('DOC_ISSUING_COUNTRY'),
    );
  expect(issuer()).toEqual([]);
  expect(issuer('UTO')).toEqual(['DOC_ISSUING_COUNTRY_OK']);
  expect(issuer('FRA')).toEqual(['DOC_ISSUING_COUNTRY_WARNING']);
});
