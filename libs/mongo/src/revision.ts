import { setTimeout } from 'node:timers/promises';
import type { Model, UpdateQuery } from 'mongoose';
import { directly } from './direct.ts';
import type { RecentDocuments } from './recent-documents.ts';

export interface Revised {
  _id: string;
  revision: number;
}

/** Thrown if a document changed during every attempt; the message or request may be tried again. */
export class TooManyConflicts extends Error {
  override name = 'TooManyConflicts';
}

const ATTEMPTS = 40;
const LONGEST_PAUSE_MS = 40;

/** The pause after a conflict is random, so that many writers do not conflict again and again. */
const pauseAfter = (attempt: number): Promise<void> =>
  attempt < 2 ? Promise.resolve() : setTimeout(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** attempt));

export interface Known<D> {
  /** The document as the caller has just read it. */
  known?: D | undefined;
  /** Documents as this process wrote them: used instead of a first read. */
  recent?: RecentDocuments<D> | undefined;
  /**
   * If there is nothing to do for the document as this process wrote it, it is not read to make
   * sure.
   */
  acceptsRecent?: boolean | undefined;
  /** The update has the stored types already: no model needs to cast it. */
  isExact?: boolean | undefined;
}

/**
 * Optimistic concurrency (invariant 6): reads the document, lets `decide` (pure; may be called
 * several times) give the update, and writes it only if nobody else wrote in between; else reads
 * and decides again. Returns what was decided on and whether anything was written; undefined when
 * there is no such document. Who has just read the document gives it as `known`, and it is not read
 * once more unless it was changed since. What is decided on a document as this process left it
 * (`recent`) counts if it is written, for then it was up to date; a decision to do nothing is made
 * again on what is stored.
 */
export const updateWithRevision = async <D extends Revised>(
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document that has a revision
  model: Model<any>,
  id: string,
  decide: (document: D) => UpdateQuery<D> | undefined | Promise<UpdateQuery<D> | undefined>,
  { known, recent, acceptsRecent = false, isExact = false }: Known<D> = {},
): Promise<{ document: D; written: boolean } | undefined> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const left = attempt === 0 && !known ? recent?.get(id) : undefined;
    const document = (attempt === 0 && known) || left || (await model.findById(id, { said: 0 }).lean<D>());
    if (!document) return undefined;
    const update = await decide(document);
    if (!update && left && !acceptsRecent) continue;
    if (!update) return { document, written: false };
    const filter = { _id: id, revision: document.revision };
    const whole = { ...update, $inc: { ...(update.$inc as object | undefined), revision: 1 } };
    const { matchedCount } = await (isExact ? directly(model).update(filter, whole) : model.updateOne(filter, whole));
    if (matchedCount === 1) return { document, written: true };
    recent?.delete(id);
    await pauseAfter(attempt);
  }
  throw new TooManyConflicts(`${model.modelName} changed under every attempt`);
};

/**
 * Runs work on one document one after another within this process, so that fewer decisions are in
 * vain. Against other processes, the revision protects.
 */
export const oneAtATime = () => {
  const last = new Map<string, Promise<unknown>>();
  return <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(id) ?? Promise.resolve()).then(work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(id, settled);
    settled.finally(() => {
      if (last.get(id) === settled) last.delete(id);
    });
    return mine;
  };
};
