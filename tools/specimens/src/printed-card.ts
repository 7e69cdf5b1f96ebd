import { CARD } from './identity-card.ts';
import { field, guilloche, portrait, print, text } from './paint.ts';
import { type DrawnDocument, type DrawOptions, face, truthOf } from './passport.ts';
import type { Person } from './person.ts';

type Value = (person: Person) => string;
interface Card {
  titles: readonly string[];
  fields: readonly (readonly [string, Value])[];
}

const dayFirst = (date: string, mark: string): string =>
  `${date.slice(8)}${mark}${date.slice(5, 7)}${mark}${date.slice(0, 4)}`;
const given: Value = ({ givenNames }) => givenNames.join(' ');
const surname: Value = (person) => person.surname;
const whole: Value = (person) => `${given(person)} ${surname(person)}`;
const number: Value = (person) => person.number;
const born =
  (mark: string): Value =>
  ({ birthDate }) =>
    dayFirst(birthDate, mark);
const ends =
  (mark: string): Value =>
  ({ expiryDate }) =>
    dayFirst(expiryDate, mark);

/** Fronts of cards that have nothing machine-readable there, as far as their words go. */
const CARDS = {
  'IDN-ID': {
    titles: ['PROVINSI DKI JAKARTA', 'JAKARTA PUSAT'],
    fields: [
      ['NIK', number],
      ['Nama', whole],
      ['Tempat/Tgl Lahir', (person) => `${person.city}, ${born('-')(person)}`],
      ['Jenis Kelamin', () => 'LAKI-LAKI'],
    ],
  },
  'PAK-ID': {
    titles: ['PAKISTAN', 'National Identity Card'],
    fields: [
      ['Name', whole],
      ['Identity Number', number],
      ['Date of Birth', born('.')],
      ['Date of Expiry', ends('.')],
    ],
  },
  'ZAF-ID': {
    titles: ['REPUBLIC OF SOUTH AFRICA', 'NATIONAL IDENTITY CARD'],
    fields: [
      ['Surname', surname],
      ['Names', given],
      ['Identity Number', number],
      ['Date of Birth', born('/')],
    ],
  },
  'COL-ID': {
    titles: ['REPUBLICA DE COLOMBIA', 'CEDULA DE CIUDADANIA'],
    fields: [
      ['NUMERO', number],
      ['APELLIDOS', surname],
      ['NOMBRES', given],
      ['FECHA DE NACIMIENTO', born('/')],
    ],
  },
  'PHL-ID': {
    titles: ['REPUBLIKA NG PILIPINAS', 'PHILIPPINE IDENTIFICATION CARD'],
    fields: [
      ['ID Number', number],
      ['Apelyido/Last Name', surname],
      ['Mga Pangalan/Given Names', given],
      ['Petsa ng Kapanganakan/Date of Birth', born('/')],
    ],
  },
  'CAN-ON-DL': {
    titles: ['Ontario', "DRIVER'S LICENCE / PERMIS DE CONDUIRE"],
    fields: [
      ['1 SURNAME / NOM', surname],
      ['2 GIVEN NAMES / PRENOMS', given],
      ['4d LIC NO', number],
      ['3 DOB', born('/')],
      ['4b EXP', ends('/')],
    ],
  },
} as const satisfies Record<string, Card>;

export type PrintedCard = keyof typeof CARDS;
export const PRINTED_CARDS = Object.keys(CARDS) as PrintedCard[];

/** The front of a card that is known by its words: nothing machine-readable. */
export async function drawPrintedCard(person: Person, card: PrintedCard, options: DrawOptions): Promise<DrawnDocument> {
  const truth = truthOf(person, options);
  const { titles, fields }: Card = CARDS[card];
  const drawing = [
    '<rect width="100%" height="100%" fill="#e8f1ee"/>',
    guilloche(CARD.width, CARD.height, ['#a9c5b9', '#c9b9a0']),
    ...titles.map((title, i) => text(40, 62 + 40 * i, title, { size: 34 - 8 * i, bold: true, colour: '#224433' })),
    ...fields.map(([caption, value], i) => field(40, 150 + 85 * i, caption, value(truth.printed), 24)),
  ].join('');
  const front = await print(CARD, drawing, [{ input: await portrait(face(options), 250, 320), left: 700, top: 190 }]);
  return { front, truth };
}
