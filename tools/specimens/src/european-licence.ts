import { CARD } from './identity-card.ts';
import { guilloche, portrait, print, text } from './paint.ts';
import { type DrawnDocument, type DrawOptions, face, truthOf } from './passport.ts';
import type { Person } from './person.ts';

/** Titles as they stand on the front; the year is printed in two figures where the issuer does. */
const ISSUERS = {
  DEU: { sign: 'D', title: 'FÜHRERSCHEIN', state: 'BUNDESREPUBLIK DEUTSCHLAND', shortYear: true },
  FRA: { sign: 'F', title: 'PERMIS DE CONDUIRE', state: 'RÉPUBLIQUE FRANÇAISE', shortYear: false },
  ITA: { sign: 'I', title: 'PATENTE DI GUIDA', state: 'REPUBBLICA ITALIANA', shortYear: false },
  NLD: { sign: 'NL', title: 'RIJBEWIJS', state: 'KONINKRIJK DER NEDERLANDEN', shortYear: false },
  POL: { sign: 'PL', title: 'PRAWO JAZDY', state: 'RZECZPOSPOLITA POLSKA', shortYear: false },
  SWE: { sign: 'S', title: 'KÖRKORT', state: 'SVERIGE', shortYear: false },
  GBR: { sign: 'UK', title: 'DRIVING LICENCE', state: '', shortYear: false },
} as const;

export type EuropeanIssuer = keyof typeof ISSUERS;
export const EUROPEAN_ISSUERS = Object.keys(ISSUERS) as EuropeanIssuer[];

/**
 * The front of a driving licence in the layout of Directive 2006/126/EC: fields by number, nothing
 * machine-readable.
 */
export async function drawEuropeanLicence(
  person: Person,
  issuer: EuropeanIssuer,
  options: DrawOptions,
): Promise<DrawnDocument> {
  const truth = truthOf(person, options);
  const front = await print(CARD, frontSide(truth.printed, issuer), [
    { input: await portrait(face(options), 250, 320), left: 45, top: 150 },
  ]);
  return { front, truth };
}

function frontSide(printed: Person, issuer: EuropeanIssuer): string {
  const { sign, title, state, shortYear } = ISSUERS[issuer];
  const dated = (date: string) => `${date.slice(8)}.${date.slice(5, 7)}.${date.slice(shortYear ? 2 : 0, 4)}`;
  const row = (y: number, value: string) => text(340, y, value, { size: 28, bold: true });
  const authority = issuer === 'GBR' ? 'DVLA' : 'REGISTER OFFICE';
  return [
    '<rect width="100%" height="100%" fill="#f4e8ee"/>',
    guilloche(CARD.width, CARD.height, ['#d9a5b8', '#b9c5d9']),
    '<rect x="40" y="30" width="100" height="70" fill="#1a3c8c"/>',
    text(62, 76, sign, { size: 34, bold: true, colour: '#ffffff' }),
    text(170, 66, title, { size: 38, bold: true, colour: '#222266' }),
    text(170, 104, state, { size: 24, colour: '#222266' }),
    row(180, `1. ${printed.surname}`),
    row(228, `2. ${printed.givenNames.join(' ')}`),
    row(276, `3. ${dated(printed.birthDate)} ${printed.city}`),
    row(324, `4a. ${dated(printed.issueDate)}   4c. ${authority}`),
    row(372, `4b. ${dated(printed.expiryDate)}`),
    row(420, `5. ${printed.number}`),
    row(570, '9. AM/B/L'),
  ].join('');
}
