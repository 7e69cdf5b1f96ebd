import { type DataOf, type ErrorName, type EventType, present } from '@assay/contracts';
import type { Identity } from './identity.ts';

/** Something that happened and is to be announced, in the write that makes it so (invariant 2). */
export interface NewEvent {
  event: EventType;
  data: unknown;
}

export const newEvent = <E extends EventType>(event: E, data: DataOf<E>): NewEvent => ({ event, data });

/** One write of an identity: fields to set, fields to take away, events to announce. */
export interface IdentityChange {
  set: Partial<Identity>;
  unset?: readonly (keyof Identity)[];
  events: NewEvent[];
}

/** What the rules do not allow, by the name of its error. */
export interface Refusal {
  refused: ErrorName;
  field?: string;
  /** In words, where the error's title says too little. */
  message?: string;
}

export const refuse = (refused: ErrorName, field?: string, message?: string): Refusal => ({
  refused,
  ...present({ field, message }),
});

/** Another state would be needed: the message says which. */
export const conflict = (message: string): Refusal => refuse('STATE_CONFLICT', undefined, message);

export const isRefusal = (value: object | undefined): value is Refusal => value !== undefined && 'refused' in value;

/** A decision about an identity: a change, a refusal, or nothing to do. */
export type ChangeResult = IdentityChange | Refusal | undefined;

/** The identity as a change leaves it; for rules that build on one another, and for tests. */
export const applied = (identity: Identity, { set, unset = [] }: Pick<IdentityChange, 'set' | 'unset'>): Identity => {
  const next = { ...identity, ...set };
  for (const field of unset) delete next[field];
  return next;
};
