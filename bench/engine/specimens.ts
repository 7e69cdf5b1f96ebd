import { present } from '@assay/contracts';
import {
  type Alteration,
  between,
  type DrawnDocument,
  degrade,
  drawIdentityCard,
  drawPassport,
  drawUsLicence,
  photograph,
  pick,
  type Random,
  randomPerson,
  type Truth,
  US_STATES,
} from '@assay/specimens';

export const FAMILIES = ['passport', 'identity-card', 'us-licence'] as const;
export type Family = (typeof FAMILIES)[number];

export interface Specimen {
  front: Buffer;
  back?: Buffer;
  truth: Truth;
}

interface Portraits {
  portrait: Buffer;
  otherPortrait: Buffer;
}

const draw = async (
  family: Family,
  portraits: Portraits,
  random: Random,
  alter: Alteration | undefined,
): Promise<DrawnDocument> => {
  const person = randomPerson(random);
  const options = { ...portraits, random, ...present({ alter }) };
  if (family === 'passport') return drawPassport(person, options);
  if (family === 'identity-card') return drawIdentityCard(person, options);
  return drawUsLicence(person, pick(random, US_STATES), options);
};

/**
 * JPEG down to quality 60, up to 15 degrees, mild perspective, noise. Which of them, and how much,
 * is drawn.
 */
const careless = async (side: Buffer, random: Random): Promise<Buffer> => {
  const seed = between(random, 1, 1e6);
  const photo = await photograph(side, { width: between(random, 1300, 1900), seed });
  return degrade(photo, {
    seed,
    rotation: between(random, -15, 15),
    perspective: between(random, 0, 30) / 1000,
    noise: between(random, 0, 8),
    quality: between(random, 60, 90),
  });
};

/** A random document as a careless photographer would send it; `alter` forges it first. */
export const drawSpecimen = async (
  family: Family,
  portraits: Portraits,
  random: Random,
  alter: Alteration | undefined,
): Promise<Specimen> => {
  const { front, back, truth } = await draw(family, portraits, random, alter);
  return { front: await careless(front, random), ...(back && { back: await careless(back, random) }), truth };
};
