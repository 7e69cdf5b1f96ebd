import type { Person } from './person.ts';

/** Issuer identification numbers published by AAMVA, of the states the generator draws. */
const ISSUERS = {
  AZ: { name: 'Arizona', iin: '636026' },
  CA: { name: 'California', iin: '636014' },
  CO: { name: 'Colorado', iin: '636020' },
  FL: { name: 'Florida', iin: '636010' },
  GA: { name: 'Georgia', iin: '636055' },
  IL: { name: 'Illinois', iin: '636035' },
  MD: { name: 'Maryland', iin: '636003' },
  NY: { name: 'New York', iin: '636001' },
  OH: { name: 'Ohio', iin: '636023' },
  TX: { name: 'Texas', iin: '636015' },
  VA: { name: 'Virginia', iin: '636000' },
  WA: { name: 'Washington', iin: '636045' },
} as const;

export type UsState = keyof typeof ISSUERS;
export const US_STATES = Object.keys(ISSUERS) as UsState[];
export const issuerOf = (state: UsState): { name: string; iin: string } => ISSUERS[state];

const compactDate = (date: string): string => `${date.slice(5, 7)}${date.slice(8)}${date.slice(0, 4)}`;

/**
 * The elements of the DL subfile, in the order AAMVA's card design standard lists them (version
 * 10).
 */
const elements = (person: Person, state: UsState): [string, string][] => [
  ['DAQ', person.number],
  ['DCS', person.surname],
  ['DDE', 'N'],
  ['DAC', person.givenNames[0] ?? 'NONE'],
  ['DDF', 'N'],
  ['DAD', person.givenNames.slice(1).join(' ') || 'NONE'],
  ['DDG', 'N'],
  ['DCA', 'D'],
  ['DCB', 'NONE'],
  ['DCD', 'NONE'],
  ['DBD', compactDate(person.issueDate)],
  ['DBB', compactDate(person.birthDate)],
  ['DBA', compactDate(person.expiryDate)],
  ['DBC', person.sex === 'M' ? '1' : '2'],
  ['DAU', '071 in'],
  ['DAY', 'BRO'],
  ['DAG', person.street],
  ['DAI', person.city],
  ['DAJ', state],
  ['DAK', `${person.postcode}0000  `],
  ['DCF', '2424244747474786102204'],
  ['DCG', 'USA'],
  ['DDA', 'F'],
  ['DDB', '06062018'],
  ['DAW', '175'],
];

/** The text of the barcode: header, one subfile designator, the DL subfile. */
export function aamvaText(person: Person, state: UsState): string {
  const body = elements(person, state).map(([id, value]) => id + value);
  const subfile = `DL${body.join('\n')}\r`;
  const header = `@\n\x1e\rANSI ${ISSUERS[state].iin}100001`;
  const four = (value: number) => String(value).padStart(4, '0');
  return `${header}DL${four(header.length + 10)}${four(subfile.length)}${subfile}`;
}
