import bwip, { type RenderOptions } from 'bwip-js/node';
import sharp from 'sharp';
import { aamvaText, issuerOf, type UsState } from './aamva.ts';
import { CARD } from './identity-card.ts';
import { americanDate, field, guilloche, portrait, print, text } from './paint.ts';
import { type DrawnDocument, type DrawOptions, face, ghostAt, truthOf } from './passport.ts';
import type { Person } from './person.ts';

/**
 * A driving licence of a US state: the card's front, and its back with the AAMVA barcode (PDF417).
 */
export async function drawUsLicence(person: Person, state: UsState, options: DrawOptions): Promise<DrawnDocument> {
  const truth = truthOf(person, options);
  const barcode = aamvaText(truth.machine, state);
  const front = await print(CARD, frontSide(truth.printed, state), [
    { input: await portrait(face(options), 290, 370), left: 45, top: 110 },
    ...(await ghostAt(options, { left: 870, top: 170, width: 110, height: 142 })),
  ]);
  return { front, back: await backSide(barcode), truth: { ...truth, barcode } };
}

async function backSide(barcode: string): Promise<Buffer> {
  const options = { bcid: 'pdf417', text: barcode, columns: 13, eclevel: 5, scale: 3, rowmult: 3 };
  // The types leave out what belongs to one symbology.
  const symbol = Buffer.from(await bwip.toBuffer(options as RenderOptions));
  const framed = await sharp(symbol)
    .flatten({ background: '#fff' })
    .extend({ top: 24, bottom: 24, left: 24, right: 24, background: '#fff' })
    .toBuffer({ resolveWithObject: true });
  const drawing = [
    '<rect width="100%" height="100%" fill="#f4f4f0"/>',
    guilloche(CARD.width, 260, ['#d5d5cf', '#cfd7d9']),
    text(60, 60, 'CLASS D: ANY NON-COMMERCIAL VEHICLE', { size: 20 }),
    text(60, 100, 'RESTRICTIONS: NONE', { size: 20 }),
  ].join('');
  const left = Math.max(0, Math.round((CARD.width - framed.info.width) / 2));
  return print(CARD, drawing, [{ input: framed.data, left, top: 300 }]);
}

const frontSide = (printed: Person, state: UsState): string =>
  [
    '<rect width="100%" height="100%" fill="#f2efe2"/>',
    guilloche(CARD.width, CARD.height, ['#d5b58f', '#9fc7a9']),
    text(40, 62, `${issuerOf(state).name.toUpperCase()}  USA`, { size: 34, bold: true, colour: '#113377' }),
    text(640, 62, 'DRIVER LICENSE', { size: 34, bold: true, colour: '#113377' }),
    field(380, 110, '4d DLN', printed.number),
    field(760, 110, '9 CLASS', 'D'),
    field(380, 180, '1 LN', printed.surname),
    field(380, 250, '2 FN', printed.givenNames.join(' ')),
    field(380, 320, '8 ADDRESS', `${printed.street}, ${printed.city}, ${state} ${printed.postcode}`, 20),
    field(380, 390, '3 DOB', americanDate(printed.birthDate)),
    field(760, 390, '15 SEX', printed.sex),
    field(380, 460, '4b EXP', americanDate(printed.expiryDate)),
    field(760, 460, '4a ISS', americanDate(printed.issueDate)),
    field(380, 530, '16 HGT', '5\'-11"', 22),
    field(760, 530, '18 EYES', 'BRO', 22),
  ].join('');
