import { expect, test } from '@jest/globals';
import { ZONE } from '../testing/readings.ts';
import { expectedOf } from './expected.ts';

test('the suffix of a barcode is expected beside a zone, too, which has no field for it', () => {
  const licence = {
    ...{ form: 'AAMVA' as const, iin: '636015', version: 10, kind: 'DRIVING_LICENSE' as const, nameSuffix: 'JR' },
    ...{ surname: 'ERIKSSON', givenNames: ['ANNA'], truncated: [], elements: {}, warnings: [] },
  };
  const barcode = { text: '', step: 'plain' as const, side: 'BACK' as const, licence };
  expect(expectedOf({ mrz: ZONE, barcode, several: 'OK' })).toMatchObject({ surname: 'ERIKSSON', nameSuffix: 'JR' });
});

test('address, height and eyes of a barcode are expected in print', () => {
  const address = { streetLines: ['1 MAIN STREET'], city: 'RICHMOND' };
  const licence = {
    ...{ form: 'AAMVA' as const, iin: '636015', version: 10, kind: 'DRIVING_LICENSE' as const, address, height: '511' },
    ...{ surname: 'ERIKSSON', givenNames: ['ANNA'], truncated: [], elements: {}, warnings: [], eyeColor: 'BRO' },
  };
  const barcode = { text: '', step: 'plain' as const, side: 'BACK' as const, licence };
  expect(expectedOf({ barcode, several: 'OK' }).description).toEqual({ address, height: '511', eyeColor: 'BRO' });
});
