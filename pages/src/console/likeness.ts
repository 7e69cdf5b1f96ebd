import type { Similarity } from '@assay/contracts/operator';

const number = (value: number): string => value.toFixed(2);

/** What a measured distance of two faces means, for a person who decides. */
export const likenessInWords = ({ distance, samePhoto, match, refuse }: Similarity): string => {
  if (distance < samePhoto) return 'They are one photograph: so alike as no two pictures of one person are.';
  if (distance <= match) return 'They are as alike as pictures of one person usually are.';
  if (distance > refuse) return 'They differ as the faces of two people do.';
  return distance - match < refuse - distance
    ? 'Undecided, and nearer to one person than to two.'
    : 'Undecided, and nearer to two people than to one.';
};

/** The measure and the limits that the words follow from. */
export const limitsInWords = ({ distance, samePhoto, match, refuse }: Similarity): string =>
  `Measured distance ${number(distance)}: below ${number(samePhoto)} one photograph, up to ${number(match)} the same ` +
  `person, above ${number(refuse)} different people.`;
