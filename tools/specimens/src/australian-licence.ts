import { CARD } from './identity-card.ts';
import { field, guilloche, portrait, print, text, wordDate } from './paint.ts';
import { type DrawnDocument, type DrawOptions, face, truthOf } from './passport.ts';
import type { Person } from './person.ts';

const STATES = {
  NSW: { name: 'New South Wales', title: 'DRIVER LICENCE' },
  VIC: { name: 'Victoria', title: 'DRIVER LICENCE' },
  QLD: { name: 'Queensland', title: 'DRIVER LICENCE' },
  WA: { name: 'Western Australia', title: "DRIVER'S LICENCE" },
  SA: { name: 'South Australia', title: "DRIVER'S LICENCE" },
  TAS: { name: 'Tasmania', title: 'DRIVER LICENCE' },
  ACT: { name: 'Australian Capital Territory', title: 'DRIVER LICENCE' },
  NT: { name: 'Northern Territory', title: 'DRIVER LICENCE' },
} as const;

export type AustralianState = keyof typeof STATES;
export const AUSTRALIAN_STATES = Object.keys(STATES) as AustralianState[];

export interface AustralianOptions extends DrawOptions {
  /** Ten digits; most issuers require it beside the licence number. */
  cardNumber?: string;
}

/** The front of an Australian driver licence: nothing machine-readable, everything in print. */
export async function drawAustralianLicence(
  person: Person,
  state: AustralianState,
  options: AustralianOptions,
): Promise<DrawnDocument> {
  const truth = truthOf(person, options);
  const front = await print(CARD, frontSide(truth.printed, state, options.cardNumber ?? '2034567890'), [
    { input: await portrait(face(options), 260, 335), left: 700, top: 170 },
  ]);
  return { front, truth };
}

const frontSide = (printed: Person, state: AustralianState, cardNumber: string): string =>
  [
    '<rect width="100%" height="100%" fill="#eaf1e6"/>',
    guilloche(CARD.width, CARD.height, ['#a9c59f', '#c9b97f']),
    text(40, 62, STATES[state].title, { size: 36, bold: true, colour: '#114422' }),
    text(40, 100, `${STATES[state].name}, Australia`, { size: 24, colour: '#114422' }),
    field(40, 150, 'Name', `${printed.givenNames.join(' ')} ${printed.surname}`),
    field(40, 230, 'Address', printed.street, 22),
    text(40, 288, `${printed.city} ${state} ${printed.postcode.slice(0, 4)}`, { size: 22, bold: true }),
    field(40, 330, 'Licence No.', printed.number),
    field(370, 330, 'Card number', cardNumber.replace(/(\d)(\d{3})(\d{3})(\d{3})/, '$1 $2 $3 $4'), 24),
    field(40, 410, 'Licence Class', 'C'),
    field(370, 410, 'Conditions', 'NONE', 24),
    field(40, 490, 'Date of Birth', wordDate(printed.birthDate)),
    field(370, 490, 'Expiry Date', wordDate(printed.expiryDate)),
  ].join('');
