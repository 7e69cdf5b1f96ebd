import { type DataOf, type ErrorName, type EventType, present } from '@assay/contracts';
import type { Identity } from './identity.ts';

/** An event to publish, stored in the write that causes it (invariant 2). */
export interface NewEvent {
  event: EventType;
  data: unknown;
}

export const newEvent = <E extends EventType>(event: E, data: DataOf<E>): NewEvent => ({ event, data });

/** One write of an identity: fields to set, fields to remove, events to publish. */
export interface IdentityChange {
  set: Partial<Identity>;
  unset?: readonly (keyof Identity)[];
  events: NewEvent[];
}

/** A refusal, by the name of its error. */
export interface Refusal {
  refused: ErrorName;
  field?: string;
  /** The reason in words, if the title of the error is not enough. */
  message?: string;
}

export const refuse = (refused: ErrorName, field?: string, message?: string): Refusal => ({
  refused,
  ...present({ field, message }),
});

/** Refuses because of the state; the message names the state that is needed. */
export const conflict = (message: string): Refusal => refuse('STATE_CONFLICT', undefined, message);

export const isRefusal = (value: object | undefined): value is Refusal => value !== undefined && 'refused' in value;

/** A decision about an identity: a change, a refusal, or nothing to do. */
export type ChangeResult = IdentityChange | Refusal | undefined;

/** The identity after a change, for rules that build on one another, and for tests. */
export const applied = (identity: Identity, { set, unset = [] }: Pick<IdentityChange, 'set' | 'unset'>): Identity => {
  const next = { ...identity, ...set };
  for (const field of unset) delete next[field];
  return next;
};
