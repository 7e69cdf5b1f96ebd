import { describe, expect, test } from '@jest/globals';
import { ZONE } from '../testing/readings.ts';
import { LICENCE_COUNTRIES, TWO_SIDED_LICENCES } from './issuers.ts';
import { recognise } from './recognise.ts';

const byWords = (...lines: string[]) => recognise(undefined, undefined, lines);

describe('cards recognised by the code of their zone', () => {
  const typeOf = (format: 'TD1' | 'TD2', documentCode: string) =>
    recognise({ ...ZONE, format, fields: { ...ZONE.fields, documentCode } }, undefined, [])?.type;

  test.each([
    ['I', 'IDENTITY_CARD'],
    ['ID', 'IDENTITY_CARD'],
    ['AC', 'IDENTITY_CARD'],
    ['AR', 'RESIDENT_CARD'],
    ['A', 'RESIDENT_CARD'],
    ['V', undefined],
  ])('%s is %s, whatever the size of the card', (code, type) => {
    expect([typeOf('TD1', code), typeOf('TD2', code)]).toEqual([type, type]);
  });
});

describe('documents recognised by their words', () => {
  test('a European licence needs its title, its issuer and the numbers of its fields', () => {
    const german = ['FÜHRERSCHEIN', 'BUNDESREPUBLIK DEUTSCHLAND', '1. MUSTERMANN', '4a. 19.01.13'];
    expect(byWords(...german)).toMatchObject({
      model: 'DEU-DL',
      type: 'DRIVING_LICENSE',
      country: 'DEU',
      numbered: true,
    });
    expect(byWords(...german.slice(0, 3))).toBeUndefined();
    expect(byWords('DRIVING LICENCE', '4a. 19.01.2013 4c. DVLA')).toMatchObject({ country: 'GBR', sides: ['FRONT'] });
  });

  test('the place of birth on a European licence is not its issuer', () => {
    const british = ['DRIVING LICENCE', '3. 11.03.1976 IRELAND', '4a. 19.01.2013 4c. DVLA'];
    expect(byWords(...british)).toMatchObject({ country: 'GBR' });
    const french = ['PERMIS DE CONDUIRE', 'RÉPUBLIQUE FRANÇAISE', '3. 11.03.1976 BELGIQUE', '4a. 19.01.2013'];
    expect(byWords(...french)).toMatchObject({ country: 'FRA' });
    const luxembourgish = ['PERMIS DE CONDUIRE', 'LUXEMBOURG', '3. 11.03.1976 DEUTSCHLAND', '4a. 19.01.2013'];
    expect(byWords(...luxembourgish)).toMatchObject({ country: 'LUX' });
  });

  test('a Finnish licence says its title in Swedish too', () => {
    expect(byWords('AJOKORTTI KÖRKORT', 'SUOMI FINLAND', '4a. 19.01.2013')).toMatchObject({ country: 'FIN' });
    expect(byWords('KÖRKORT', 'SVERIGE', '4a. 19.01.2013')).toMatchObject({ country: 'SWE' });
  });

  test('a city or a name like a province or a state is not the issuer of an American licence', () => {
    const american = (place: string) => byWords('TEXAS USA', 'DRIVER LICENSE', '4d DLN 123', place);
    for (const place of ['ONTARIO CA 91761', 'VICTORIA TX 77901', '2 FN VICTORIA'])
      expect(american(place)).toMatchObject({ country: 'USA', complete: false });
  });

  test('a Canadian licence in a city called Victoria is not Australian', () => {
    expect(byWords('BRITISH COLUMBIA', "DRIVER'S LICENCE", 'VICTORIA BC V8V 1A1')).toMatchObject({
      country: 'CAN',
      state: 'BC',
      sides: ['FRONT', 'BACK'],
    });
    expect(byWords('DRIVER LICENCE', 'Victoria, Australia')).toMatchObject({ country: 'AUS', state: 'VIC' });
  });

  test('a Philippine identification card is not American', () => {
    expect(byWords('REPUBLIKA NG PILIPINAS', 'PHILIPPINE IDENTIFICATION CARD')).toMatchObject({ country: 'PHL' });
    expect(byWords('VIRGINIA USA', 'IDENTIFICATION CARD')).toMatchObject({ country: 'USA', state: 'VA' });
  });

  test('fronts of Brazil and Nigeria', () => {
    expect(byWords('REPÚBLICA FEDERATIVA DO BRASIL', 'CARTEIRA DE IDENTIDADE')).toMatchObject({ country: 'BRA' });
    expect(byWords('FEDERAL REPUBLIC OF NIGERIA', 'NATIONAL IDENTITY CARD')).toMatchObject({ country: 'NGA' });
  });

  test('a document recognised by words alone is never reported as complete, except licences of Australia', () => {
    const { complete } = byWords('PAKISTAN', 'National Identity Card')!;
    expect(complete).toBe(false);
  });
});

test('issuers are read from the registry', () => {
  expect(LICENCE_COUNTRIES).toEqual(expect.arrayContaining(['AUS', 'CAN', 'DEU', 'GBR', 'MEX', 'USA']));
  expect(TWO_SIDED_LICENCES).toEqual(['USA', 'CAN', 'MEX']);
});
