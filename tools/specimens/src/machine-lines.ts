import type { Person } from './person.ts';

const WEIGHTS = [7, 3, 1];

/**
 * The ICAO 9303 check digit of a field: weights 7, 3, 1; letters count from 10, fillers nothing.
 */
export function checkDigit(field: string): string {
  let sum = 0;
  for (const [index, character] of [...field].entries()) {
    const value = character === '<' ? 0 : Number.parseInt(character, 36);
    sum += value * (WEIGHTS[index % 3] ?? 0);
  }
  return String(sum % 10);
}

const fill = (text: string, length: number): string => text.padEnd(length, '<').slice(0, length);
const shortDate = (date: string): string => date.slice(2).replaceAll('-', '');
/** Letters that are no others with a mark, as ICAO 9303-3 has them in zones. */
const ALONE: Record<string, string> = { Ə: 'E', Đ: 'D', Ł: 'L', ß: 'SS' };
const zoneName = (text: string): string =>
  text
    .replace(/[ƏĐŁß]/g, (letter) => ALONE[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll(' ', '<');
const name = (person: Person): string => `${zoneName(person.surname)}<<${zoneName(person.givenNames.join('<'))}`;

/** Two lines of 44 characters (TD3). */
export function passportLines(person: Person): string[] {
  const first = fill(`P<${fill(person.issuingState, 3)}${name(person)}`, 44);
  const number = fill(person.number, 9);
  const birth = shortDate(person.birthDate);
  const expiry = shortDate(person.expiryDate);
  const body = `${number}${checkDigit(number)}${fill(person.nationality, 3)}${birth}${checkDigit(birth)}${person.sex}${expiry}${checkDigit(expiry)}${fill('', 15)}`;
  return [first, body + checkDigit(body.slice(0, 10) + body.slice(13, 20) + body.slice(21, 43))];
}

/** Three lines of 30 characters (TD1). */
export function identityCardLines(person: Person): string[] {
  const number = fill(person.number, 9);
  const birth = shortDate(person.birthDate);
  const expiry = shortDate(person.expiryDate);
  const first = fill(`I<${fill(person.issuingState, 3)}${number}${checkDigit(number)}`, 30);
  const second = `${birth}${checkDigit(birth)}${person.sex}${expiry}${checkDigit(expiry)}${fill(person.nationality, 3)}${fill('', 11)}`;
  const composite = checkDigit(first.slice(5) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18, 29));
  return [first, second + composite, fill(name(person), 30)];
}

export type CheckedField = 'number' | 'birthDate' | 'expiryDate' | 'composite';

const CHECK_POSITIONS: Record<'passport' | 'identity-card', Record<CheckedField, [line: number, column: number]>> = {
  passport: { number: [1, 9], birthDate: [1, 19], expiryDate: [1, 27], composite: [1, 43] },
  'identity-card': { number: [0, 14], birthDate: [1, 6], expiryDate: [1, 14], composite: [1, 29] },
};

/** The same lines with one check digit replaced by a wrong one. */
export function withWrongCheckDigit(lines: string[], document: 'passport' | 'identity-card', field: CheckedField) {
  const [line, column] = CHECK_POSITIONS[document][field];
  return lines.map((text, index) => {
    if (index !== line) return text;
    const wrong = (Number(text[column]) + 5) % 10;
    return text.slice(0, column) + wrong + text.slice(column + 1);
  });
}
