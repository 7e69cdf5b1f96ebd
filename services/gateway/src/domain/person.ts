import { printableOf } from '@assay/contracts';
import { conflict, type Refusal } from './change.ts';

/** Ids of people and ids of keys begin differently. */
const PREFIX = 'person-';

export const personIdOf = (digest: string): string => `${PREFIX}${digest}`;

export const isPersonId = (id: string): boolean => id.startsWith(PREFIX);

/** An operator or administrator as an identity provider, or an administrator, names them. */
export interface Identified {
  /** Empty where an administrator named the person. */
  issuer: string;
  subject: string;
}

const LONGEST_NAME = 120;
/** A name for display: one line of limited length, in which all can be seen. */
export const shownName = (text: string): string => printableOf(text).trim().slice(0, LONGEST_NAME);

const text = (value: unknown): string => (typeof value === 'string' ? shownName(value) : '');

/** The name of a person by the claims of an issuer; the subject if there is no name. */
export const nameInClaims = (claims: Readonly<Record<string, unknown>>): string =>
  text(claims.name) ||
  [text(claims.given_name), text(claims.family_name)].filter(Boolean).join(' ') ||
  text(claims.preferred_username) ||
  text(claims.sub);

/**
 * Whether two operators are certainly different people. Two people are; two keys that name nobody
 * are, if the tenant allows such keys to decide. A person and such a key may be the same: the key
 * may belong to the person.
 */
export const areTwo = (one: string, other: string): boolean => one !== other && isPersonId(one) === isPersonId(other);

/**
 * If only people may decide, a key must name its person. `peopleOnly` is the present setting of the
 * tenant.
 */
export const refusalOfKey = (operatorId: string, peopleOnly: boolean): Refusal | undefined =>
  peopleOnly && !isPersonId(operatorId)
    ? conflict('only people decide for this tenant, and this key names nobody')
    : undefined;
