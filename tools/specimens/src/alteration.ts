import type { CheckedField } from './machine-lines.ts';
import { type Person, randomDate, randomName, randomNumber } from './person.ts';
import { pick, type Random } from './random.ts';

export const ALTERABLE_FIELDS = ['surname', 'givenNames', 'number', 'birthDate', 'expiryDate', 'sex'] as const;
/** Fields that only documents with a zone have, and that no check digit covers. */
export const STATE_FIELDS = ['issuingState', 'nationality'] as const;
export type AlterableField = (typeof ALTERABLE_FIELDS)[number] | (typeof STATE_FIELDS)[number];

/**
 * One forgery. `visual`: the printed text of one field was changed; `machine`: the MRZ or barcode
 * was rewritten in one field, with right check digits; `check-digit`: one printed check digit is
 * wrong; `expired`: genuine, but out of date; `portrait`: another face was put over the holder's.
 */
export type Alteration =
  | { kind: 'visual' | 'machine'; field: AlterableField }
  | { kind: 'check-digit'; field: CheckedField }
  | { kind: 'expired' }
  | { kind: 'portrait' };

/**
 * The two readings a document offers: what people see and what machines read. They agree on a
 * genuine one.
 */
export interface Readings {
  printed: Person;
  machine: Person;
}

export function applyAlteration(person: Person, alteration: Alteration | undefined, random: Random): Readings {
  if (alteration?.kind === 'visual') return { printed: change(person, alteration.field, random), machine: person };
  if (alteration?.kind === 'machine') return { printed: person, machine: change(person, alteration.field, random) };
  if (alteration?.kind === 'expired') {
    const old = { ...person, issueDate: '2010-06-01', expiryDate: '2020-05-31' };
    return { printed: old, machine: old };
  }
  return { printed: person, machine: person };
}

const STATES = ['AUT', 'CAN', 'ESP', 'FRA', 'POL', 'UTO'];

/** Another value of that field, as a forger would choose it: one that changes something. */
function change(person: Person, field: AlterableField, random: Random): Person {
  switch (field) {
    case 'surname':
      return { ...person, surname: other(person.surname, () => randomName(random)) };
    case 'givenNames':
      return {
        ...person,
        givenNames: [other(person.givenNames[0], () => randomName(random)), ...person.givenNames.slice(1)],
      };
    case 'number':
      return {
        ...person,
        number: random() < 0.5 ? oneDigit(person.number, random) : other(person.number, () => randomNumber(random)),
      };
    case 'birthDate':
      return { ...person, birthDate: other(person.birthDate, () => randomDate(random, 1940, 2006)) };
    case 'expiryDate':
      return { ...person, expiryDate: other(person.expiryDate, () => randomDate(random, 2034, 2039)) };
    case 'issuingState':
    case 'nationality':
      return { ...person, [field]: other(person[field], () => pick(random, STATES)) };
    case 'sex':
      return { ...person, sex: person.sex === 'M' ? 'F' : 'M' };
  }
}

function other(value: string | undefined, draw: () => string): string {
  const drawn = draw();
  return drawn === value ? other(value, draw) : drawn;
}

/** The smallest forgery of a number: one digit replaced. */
function oneDigit(number: string, random: Random): string {
  const places = [...number].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
  const place = pick(random, places);
  const digit = (Number(number[place]) + pick(random, [2, 4, 6])) % 10;
  return number.slice(0, place) + digit + number.slice(place + 1);
}
