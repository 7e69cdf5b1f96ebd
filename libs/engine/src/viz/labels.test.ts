import { describe, expect, test } from '@jest/globals';
import { labelledValues } from './labels.ts';
import type { PlacedLine } from './placed-line.ts';

/** Print at a position: `column` in letters, `row` in lines. */
const at = (text: string, column: number, row: number): PlacedLine => ({
  side: 'FRONT',
  text,
  confidence: 0.99,
  left: column * 10,
  right: (column + text.length) * 10,
  x: (column + text.length / 2) * 10,
  y: row * 20,
  height: 18,
});

describe('values by their labels', () => {
  test('below the label, as on an Australian licence', () => {
    const lines = [
      at('Name', 0, 0),
      at('BARRY HENRY SPECIMEN', 0, 1),
      at('Address', 0, 3),
      at('1 EXAMPLE STREET', 0, 4),
      at('SYDNEY NSW 2000', 0, 5),
      at('Licence No.', 0, 7),
      at('12345678', 0, 8),
      at('Card number', 40, 7),
      at('2 034 567 890', 40, 8),
      at('Date of Birth', 0, 10),
      at('12 AUG 1974', 0, 11),
    ];
    expect(labelledValues(lines, false)).toEqual({
      surname: 'SPECIMEN',
      givenNames: ['BARRY', 'HENRY'],
      documentNumber: '12345678',
      cardNumber: '2034567890',
      birthDate: '1974-08-12',
      address: { streetLines: ['1 EXAMPLE STREET'], city: 'SYDNEY', state: 'NSW', postcode: '2000' },
    });
  });

  test('beside the label and on its own line, as on a US licence', () => {
    const lines = [at('4d DLN T64235789', 0, 0), at('3 DOB', 0, 2), at('08/12/1974', 8, 2), at('15 SEX F', 0, 4)];
    expect(labelledValues(lines, true)).toEqual({ documentNumber: 'T64235789', birthDate: '1974-08-12', sex: 'F' });
  });

  test('a date that can be read in two ways is left out if the issuer is unknown', () => {
    const lines = [at('Date of birth', 0, 0), at('08/12/1974', 0, 1)];
    expect(labelledValues(lines, undefined)).toEqual({});
    expect(labelledValues(lines, false)).toEqual({ birthDate: '1974-12-08' });
    expect(labelledValues([at('Date of birth', 0, 0), at('28/12/1974', 0, 1)], undefined)).toEqual({
      birthDate: '1974-12-28',
    });
  });

  test('a label in two languages is no value, whatever is between them', () => {
    for (const between of [' / ', ' ', '/']) {
      const lines = [
        at(`Surname${between}Nom`, 0, 0),
        at('DUPONT', 0, 1),
        at(`Given names${between}Prénoms`, 0, 3),
        at('MARIE', 0, 4),
      ];
      expect(labelledValues(lines, false)).toEqual({ surname: 'DUPONT', givenNames: ['MARIE'] });
      expect(labelledValues([lines[0]!, lines[2]!], false)).toEqual({});
    }
  });

  test('a name that begins like a label of another language is a value', () => {
    expect(labelledValues([at('Surname NOMURA', 0, 0)], false)).toEqual({ surname: 'NOMURA' });
  });

  test('an Ontario licence: one label for both names, a comma between them', () => {
    const lines = [
      at('1,2 NAME / NOM', 0, 0),
      at('PUBLIC,', 0, 1),
      at('JOHN QUINCY', 0, 2),
      at('4d NUMBER / NUMÉRO', 0, 4),
      at('D6101-40706-60905', 0, 5),
    ];
    expect(labelledValues(lines, false)).toEqual({
      surname: 'PUBLIC',
      givenNames: ['JOHN', 'QUINCY'],
      documentNumber: 'D6101-40706-60905',
    });
  });

  test('NOME is the whole name on a Brazilian card, and the given names together with COGNOME', () => {
    const brazilian = [
      at('Nome / Name', 0, 0),
      at('ANA SOUZA', 0, 1),
      at('Data de Nascimento', 0, 3),
      at('17/05/1980', 0, 4),
    ];
    expect(labelledValues(brazilian, false)).toEqual({
      surname: 'SOUZA',
      givenNames: ['ANA'],
      birthDate: '1980-05-17',
    });
    const italian = [at('COGNOME', 0, 0), at('ROSSI', 0, 1), at('NOME', 0, 3), at('ANNA MARIA', 0, 4)];
    expect(labelledValues(italian, false)).toEqual({ surname: 'ROSSI', givenNames: ['ANNA', 'MARIA'] });
    expect(labelledValues([at('NOM ERIKSSON', 0, 0)], false)).toEqual({ surname: 'ERIKSSON' });
  });

  test('place of birth and authority follow labels of several languages', () => {
    const lines = [
      at('Place of birth / Lieu', 0, 0),
      at('ST. GALLEN (CHE)', 0, 1),
      at('Behörde', 0, 3),
      at('STADT KÖLN', 0, 4),
    ];
    expect(labelledValues(lines, false)).toEqual({ birthPlace: 'ST. GALLEN (CHE)', authority: 'STADT KOLN' });
  });

  test.each([
    'Authority l Autorite',
    'Authority I Autor',
    'Authority lAutg',
    'Authority | Autorité',
    'Authority! Autorite',
  ])('a stroke that is read as a letter ends the label: %s', (label) => {
    const lines = [at(label, 0, 0), at('PASSPORT OFFICE', 0, 1)];
    expect(labelledValues(lines, false)).toEqual({ authority: 'PASSPORT OFFICE' });
  });

  test('a second language behind a stroke that is read as a letter is no name', () => {
    const lines = [at('Surname l Nom', 0, 0), at('DUPONT', 0, 1), at('Given names I Prénoms', 0, 3), at('ANNE', 0, 4)];
    expect(labelledValues(lines, false)).toEqual({ surname: 'DUPONT', givenNames: ['ANNE'] });
    expect(labelledValues([at('Surname I SMITH', 0, 0)], false)).toEqual({ surname: 'I SMITH' });
    expect(labelledValues([at('Authority Lauterbach', 0, 0)], false)).toEqual({ authority: 'LAUTERBACH' });
  });

  test('a long value below a short label is found on a page that lies aslant', () => {
    for (const slope of [-0.07, 0.07]) {
      const aslant = (line: PlacedLine): PlacedLine => ({ ...line, slope, y: line.y + slope * line.x });
      const lines = [at('Name', 0, 0), at('NAUHAUMSTEND DIRBROM WIRKKLAUMHA RINBAM', 0, 1.2)].map(aslant);
      expect(labelledValues(lines, false).surname).toBe('RINBAM');
    }
  });
});
