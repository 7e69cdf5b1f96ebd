import { expect, test } from '@jest/globals';
import { issuerOf } from '../barcode/issuers.ts';
import { indicatorsOf } from '../rules/document-indicators.ts';
import { BACK, model, readingOf } from '../testing/readings.ts';
import { otherIssuer } from './counterpart.ts';

const HOLDER = { surname: 'SPECIMEN', givenNames: ['BARRY'] };
const [VIRGINIA, WEST_VIRGINIA, COLUMBIA, FEDERAL] = ['636000', '636061', '636043', '636027'].map(
  (iin) => issuerOf(iin)!,
);
/** The state in the heading of a front whose lines are printed below each other. */
const otherThan = (issuer: typeof VIRGINIA, texts: readonly string[], holder: { givenNames: string[] } = HOLDER) => {
  const place = { side: 'FRONT', confidence: 0.99, left: 40, right: 400, x: 220, height: 30, slope: 0 } as const;
  const lines = texts.map((text, i) => ({ ...place, text, y: 60 + 40 * i }));
  return otherIssuer(lines.toReversed(), 'BACK', issuer!, { ...HOLDER, ...holder });
};

test('a front whose heading names another state than the issuer of the barcode says which', () => {
  expect(otherThan(VIRGINIA, ['ARIZONA USA', 'DRIVER LICENSE'])).toBe('AZ');
  expect(otherThan(VIRGINIA, ['West Virginia', 'DRIVER LICENSE'])).toBe('WV');
  expect(otherThan(VIRGINIA, ['VIRGINIA USA', 'DRIVER LICENSE'])).toBeUndefined();
  expect(otherThan(WEST_VIRGINIA, ['WEST VIRGINIAUSA'])).toBeUndefined();
  expect(otherThan(WEST_VIRGINIA, ['VIRGINIA', 'WEST', 'DRIVER LICENSE'])).toBeUndefined();
  expect(otherThan(WEST_VIRGINIA, ['VIRGINIA', 'DRIVER LICENSE'])).toBe('VA');
});

test('its own code in the heading, no state at all, and an issuer without one are no contradiction', () => {
  expect(otherThan(COLUMBIA, ['WASHINGTON, DC', 'DRIVER LICENSE'])).toBeUndefined();
  expect(otherThan(VIRGINIA, ['DRIVER LICENSE'])).toBeUndefined();
  expect(otherThan(FEDERAL, ['ARIZONA'])).toBeUndefined();
});

test('a holder, an address and a place further down may have the name of a state', () => {
  expect(otherThan(WEST_VIRGINIA, ['DRIVER LICENSE', 'VIRGINIA'], { givenNames: ['VIRGINIA'] })).toBeUndefined();
  expect(otherThan(VIRGINIA, ['DRIVER LICENSE', '12 DELAWARE AVENUE'])).toBeUndefined();
  expect(otherThan(VIRGINIA, ['DRIVER LICENSE', 'SPECIMEN', 'BARRY', 'CLASS', 'OREGON'])).toBeUndefined();
});

test('a licence whose front is of another state is not recognised surely', () => {
  const licence = {
    back: BACK,
    recognition: model('DRIVING_LICENSE', 'BARCODE', { sides: ['FRONT', 'BACK'] }),
    barcode: { side: 'BACK', licence: { issuer: VIRGINIA, truncated: [], givenNames: [] } } as never,
    counterpartSeen: true,
  };
  expect(indicatorsOf(readingOf(licence))).toContain('MODEL_RECOGNIZED_OK');
  expect(indicatorsOf(readingOf({ ...licence, counterpartState: 'AZ' }))).toContain('MODEL_RECOGNIZED_WARNING');
});
