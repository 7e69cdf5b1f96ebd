import { identityCardLines, withWrongCheckDigit } from './machine-lines.ts';
import { field, guilloche, machineZone, portrait, print, text, wordDate } from './paint.ts';
import { type DrawnDocument, type DrawOptions, face, ghostAt, truthOf } from './passport.ts';
import type { Person } from './person.ts';

/** ID-1 at about 12 pixels a millimetre. */
export const CARD = { width: 1012, height: 638 };

/** An identity card with its machine-readable zone (TD1) on the back. */
export async function drawIdentityCard(person: Person, options: DrawOptions): Promise<DrawnDocument> {
  const truth = truthOf(person, options);
  const right = identityCardLines(truth.machine);
  const mrz =
    options.alter?.kind === 'check-digit' ? withWrongCheckDigit(right, 'identity-card', options.alter.field) : right;
  const front = await print(CARD, frontSide(truth.printed), [
    { input: await portrait(face(options), 290, 370), left: 45, top: 110 },
    ...(await ghostAt(options, { left: 860, top: 110, width: 120, height: 155 })),
  ]);
  const back = await print(
    CARD,
    [
      '<rect width="100%" height="100%" fill="#eef2f4"/>',
      guilloche(CARD.width, 340, ['#8fb5a5', '#7fa7c9']),
      field(60, 60, 'Place of birth / Lieu de naissance', 'ZENITH', 24),
      field(60, 140, 'Authority / Autorité', 'CIVIL REGISTRY', 24),
      machineZone(mrz, { x: 62, y: 450, pitch: 29.9, leading: 66, size: 43 }),
    ].join(''),
  );
  return { front, back, truth: { ...truth, mrz } };
}

const frontSide = (printed: Person): string =>
  [
    '<rect width="100%" height="100%" fill="#e4eef2"/>',
    guilloche(CARD.width, CARD.height, ['#8fb5a5', '#7fa7c9']),
    text(40, 64, 'UTOPIA   IDENTITY CARD', { size: 36, bold: true, colour: '#115555' }),
    field(380, 120, 'Surname / Nom', printed.surname),
    field(380, 200, 'Given names / Prénoms', printed.givenNames.join(' ')),
    field(380, 280, 'Date of birth / Date de naissance', wordDate(printed.birthDate)),
    field(760, 280, 'Sex / Sexe', printed.sex),
    field(380, 360, 'Document No.', printed.number),
    field(760, 360, 'Nationality', printed.nationality),
    field(380, 440, "Date of expiry / Date d'expiration", wordDate(printed.expiryDate)),
    field(760, 440, 'Date of issue', wordDate(printed.issueDate), 22),
  ].join('');
