import type { Model, UpdateQuery } from 'mongoose';

export interface Revised {
  _id: string;
  revision: number;
}

/** Raised when a document changed under every attempt; the message or request may be tried again. */
export class TooManyConflicts extends Error {
  override name = 'TooManyConflicts';
}

const ATTEMPTS = 12;

/**
 * Optimistic concurrency (invariant 6): reads the document, lets `decide` (pure; may be called several times) give the update, and writes it only if
 * nobody else wrote in between; else reads and decides again. Returns what was decided on and whether anything was written; undefined when there
 * is no such document. Who has just read the document gives it as `known`, and it is not read once more unless it was changed since.
 */
export const updateWithRevision = async <D extends Revised>(
  // biome-ignore lint/suspicious/noExplicitAny: takes the model of any document that has a revision
  model: Model<any>,
  id: string,
  decide: (document: D) => UpdateQuery<D> | undefined | Promise<UpdateQuery<D> | undefined>,
  known?: D,
): Promise<{ document: D; written: boolean } | undefined> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const document = (attempt === 0 && known) || (await model.findById(id).lean<D>());
    if (!document) return undefined;
    const update = await decide(document);
    if (!update) return { document, written: false };
    const { matchedCount } = await model.updateOne(
      { _id: id, revision: document.revision },
      { ...update, $inc: { ...(update.$inc as object | undefined), revision: 1 } },
    );
    if (matchedCount === 1) return { document, written: true };
  }
  throw new TooManyConflicts(`${model.modelName} changed under every attempt`);
};

/** True for a violated unique index: the document is there already. */
export const isDuplicateKey = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 11000;
