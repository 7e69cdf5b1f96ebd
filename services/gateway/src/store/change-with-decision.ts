import type { Envelope } from '@assay/contracts';
import { type Known, type Revised, updateWithRevision } from '@assay/mongo';
import type { UpdateQuery } from 'mongoose';
import { isRefusal, type Refusal, refuse } from '../domain/change.ts';

interface Changing<D extends Revised, C> extends Known<D> {
  model: Parameters<typeof updateWithRevision>[0];
  id: string;
  /** Applies the rules to the stored document. Pure; may run several times. */
  decide: (document: D) => C | Refusal | undefined;
  /** The events of the change, stored in the same write. */
  eventsOf: (document: D, change: C) => Envelope<unknown>[];
}

export interface DocumentChanged<D, C> {
  /** The document that the decision was made on. */
  document: D;
  /** Absent where there was nothing to change. */
  change?: C;
  events: Envelope<unknown>[];
}

const updateOf = <D>(
  { set, unset }: { set: object; unset?: readonly string[] | undefined },
  events: Envelope<unknown>[],
): UpdateQuery<D> => {
  const update = {
    $set: set,
    ...(unset?.length ? { $unset: Object.fromEntries(unset.map((field) => [field, 1])) } : {}),
    ...(events.length ? { $push: { outbox: { $each: events } } } : {}),
  };
  // The update's fields are named by strings; mongoose would have them from the document's type.
  return update as unknown as UpdateQuery<D>;
};

/**
 * Decides about the stored document and writes the decision with its events; decides again if
 * another process wrote in between (invariants 2 and 6).
 */
export const changeWithDecision = async <D extends Revised, C extends { set: object; unset?: readonly string[] }>({
  model,
  id,
  decide,
  eventsOf,
  ...known
}: Changing<D, C>): Promise<DocumentChanged<D, C> | Refusal> => {
  let decision: C | Refusal | undefined;
  let events: Envelope<unknown>[] = [];
  const outcome = await updateWithRevision<D>(
    model,
    id,
    (document) => {
      decision = decide(document);
      if (!decision || isRefusal(decision)) return undefined;
      events = eventsOf(document, decision);
      return updateOf<D>(decision, events);
    },
    known,
  );
  if (!outcome) return refuse('NOT_FOUND');
  if (isRefusal(decision)) return decision;
  const { document, written } = outcome;
  return written && decision ? { document, change: decision, events } : { document, events: [] };
};
