import { conflict, type Refusal } from './change.ts';

/** Ids of people and ids of keys begin differently. */
const PREFIX = 'person-';

export const personIdOf = (digest: string): string => `${PREFIX}${digest}`;

export const isPersonId = (id: string): boolean => id.startsWith(PREFIX);

/** Whom an operator or administrator is to somebody who vouches for them. */
export interface Identified {
  /** Empty where an administrator named the person. */
  issuer: string;
  subject: string;
}

const LONGEST_NAME = 120;
/** What could make one name look like two, or like another. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name as it is shown: one line, no longer than a line. */
export const shownName = (text: string): string => text.replace(UNSEEN, '').trim().slice(0, LONGEST_NAME);

const text = (value: unknown): string => (typeof value === 'string' ? shownName(value) : '');

/** The name of a person by the claims of an issuer; the subject where it tells none. */
export const nameInClaims = (claims: Readonly<Record<string, unknown>>): string =>
  text(claims.name) ||
  [text(claims.given_name), text(claims.family_name)].filter(Boolean).join(' ') ||
  text(claims.preferred_username) ||
  text(claims.sub);

/**
 * Whether two operators are certainly not one person. Two people are; so are two keys that name
 * nobody, where that is admitted. A person and such a key may be one: the key may be the person's.
 */
export const areTwo = (one: string, other: string): boolean => one !== other && isPersonId(one) === isPersonId(other);

/**
 * Where only people decide, a key has to say whose it is: `peopleOnly` is the tenant's setting of
 * now.
 */
export const refusalOfKey = (operatorId: string, peopleOnly: boolean): Refusal | undefined =>
  peopleOnly && !isPersonId(operatorId)
    ? conflict('only people decide for this tenant, and this key names nobody')
    : undefined;
