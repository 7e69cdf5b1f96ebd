import type { DataOf, ErrorName, EventType } from '@assay/contracts';
import type { Identity } from './identity.ts';

/** Something that happened and is to be announced, in the write that makes it so (invariant 2). */
export interface Fact {
  event: EventType;
  data: unknown;
}

export const fact = <E extends EventType>(event: E, data: DataOf<E>): Fact => ({ event, data });

/** One write of an identity: fields to set, fields to take away, facts to announce. */
export interface Change {
  set: Partial<Identity>;
  unset?: readonly (keyof Identity)[];
  facts: Fact[];
}

/** What the rules do not allow, by the name of its error. */
export interface Refusal {
  refused: ErrorName;
  field?: string;
}

export const refuse = (refused: ErrorName, field?: string): Refusal =>
  field === undefined ? { refused } : { refused, field };

export const isRefusal = (value: object | undefined): value is Refusal => value !== undefined && 'refused' in value;

/** A decision about an identity: a change, a refusal, or nothing to do. */
export type Decision = Change | Refusal | undefined;

/** The identity as a change leaves it; for rules that build on one another, and for tests. */
export const applied = (identity: Identity, { set, unset = [] }: Pick<Change, 'set' | 'unset'>): Identity => {
  const next = { ...identity, ...set };
  for (const field of unset) delete next[field];
  return next;
};
