import { isDeepStrictEqual } from 'node:util';
import mongoose from 'mongoose';
import { copyOf } from './copy.ts';
import { type Fields, setAt, valueAt } from './paths.ts';
import { matcherOf } from './query.ts';
import { applyUpdate, throughStages } from './update.ts';

const { MongoServerError, ObjectId } = mongoose.mongo;

export interface Index {
  name: string;
  key: Record<string, number>;
  isUnique: boolean;
  isSparse: boolean;
  isCovered?: (document: Fields) => boolean;
  expireAfterSeconds?: number;
}

export interface WriteResult {
  acknowledged: true;
  matchedCount: number;
  modifiedCount: number;
  upsertedCount: number;
  upsertedId: unknown;
}

/**
 * The documents of one collection and the server's operations on them. Nothing here takes time or
 * fails at random.
 */
export interface Documents {
  indexes: Map<string, Index>;
  matching(filter: Fields): Fields[];
  insert(document: Fields): void;
  /** Updates with operators or, if nothing is inserted, with stages. */
  update(filter: Fields, update: Fields | Fields[], options: { many: boolean; upsert: boolean }): WriteResult;
  replaceOne(filter: Fields, next: Fields, upsert: boolean): WriteResult;
  remove(documents: readonly Fields[]): number;
  /** Removes the documents that a TTL index declares expired. */
  expire(now: Date): void;
  all(): Fields[];
}

const keyOf = (id: unknown): string => (id instanceof ObjectId ? id.toHexString() : String(id));

const duplicate = (name: string): Error =>
  new MongoServerError({ message: `E11000 duplicate key error index: ${name}`, code: 11000 });

/** Whether an index contains a document. */
const isIn = ({ isSparse, isCovered, key }: Index, document: Fields): boolean => {
  if (isCovered?.(document) === false) return false;
  return !isSparse || Object.keys(key).some((path) => valueAt(document, path) !== undefined);
};

const isSameKey = (key: Index['key'], a: Fields, b: Fields): boolean =>
  Object.keys(key).every((path) => isDeepStrictEqual(valueAt(a, path) ?? null, valueAt(b, path) ?? null));

/** The fields that a filter demands. An upserted document begins with them. */
const demandedBy = (filter: Fields): Fields => {
  const document: Fields = {};
  for (const [path, value] of Object.entries(filter)) {
    if (path.startsWith('$')) continue;
    const isPlain = typeof value !== 'object' || value === null || value instanceof Date || value instanceof ObjectId;
    if (isPlain) setAt(document, path, value);
    else if ('$eq' in value) setAt(document, path, (value as Fields).$eq);
  }
  return document;
};

const written = (matched: number, modified: number, upsertedId?: unknown): WriteResult => ({
  acknowledged: true,
  matchedCount: matched,
  modifiedCount: modified,
  upsertedCount: upsertedId === undefined ? 0 : 1,
  upsertedId: upsertedId ?? null,
});

/** Whether a filter consists of an id alone. */
const isId = (filter: Fields): boolean =>
  Object.keys(filter).length === 1 && (typeof filter._id === 'string' || filter._id instanceof ObjectId);

/** The id that a filter demands, if it can match one document only. */
const idIn = (filter: Fields): unknown => {
  const id = filter._id;
  if (typeof id === 'string' || id instanceof ObjectId) return id;
  const equal = (id as { $eq?: unknown } | undefined)?.$eq;
  return typeof equal === 'string' ? equal : undefined;
};

export const createDocuments = (): Documents => {
  const stored = new Map<string, Fields>();
  const indexes = new Map<string, Index>();

  const refuseDuplicates = (document: Fields, except?: Fields): void => {
    for (const index of indexes.values()) {
      if (!index.isUnique || !isIn(index, document)) continue;
      for (const other of stored.values())
        if (other !== except && isIn(index, other) && isSameKey(index.key, document, other))
          throw duplicate(index.name);
    }
  };
  const insert = (given: Fields): void => {
    const document = copyOf({ _id: given._id ?? new ObjectId(), ...given });
    const key = keyOf(document._id);
    if (stored.has(key)) throw duplicate('_id_');
    refuseDuplicates(document);
    stored.set(key, document);
  };
  const replace = (before: Fields, document: Fields): void => {
    refuseDuplicates(document, before);
    stored.set(keyOf(before._id), document);
  };
  const matching = (filter: Fields): Fields[] => {
    const id = idIn(filter);
    const candidates =
      id === undefined ? [...stored.values()] : [stored.get(keyOf(id))].filter((one) => one !== undefined);
    // Compiling a filter takes longer than most searches, so a filter that needs no search is not
    // compiled.
    const isAnswered = candidates.length === 0 || isId(filter);
    return isAnswered ? candidates : candidates.filter(matcherOf(filter));
  };
  const changed = (document: Fields, update: Fields | Fields[]): Fields => {
    if (Array.isArray(update)) return throughStages(document, update);
    const next = copyOf(document);
    applyUpdate(next, copyOf(update));
    return next;
  };
  const change = (document: Fields, update: Fields | Fields[]): boolean => {
    const next = changed(document, update);
    if (isDeepStrictEqual(next, document)) return false;
    replace(document, next);
    return true;
  };

  return {
    indexes,
    matching,
    insert,
    replaceOne: (filter, next, upsert) => {
      const [found] = matching(filter);
      if (found) {
        replace(found, copyOf({ ...next, _id: found._id }));
        return written(1, 1);
      }
      if (!upsert) return written(0, 0);
      const document = { _id: idIn(filter) ?? new ObjectId(), ...next };
      insert(document);
      return written(0, 0, document._id);
    },
    update: (filter, update, { many, upsert }) => {
      const found = matching(filter).slice(0, many ? undefined : 1);
      if (found.length > 0) return written(found.length, found.filter((document) => change(document, update)).length);
      if (!upsert) return written(0, 0);
      if (Array.isArray(update)) throw new Error('the simulated store inserts nothing by stages');
      const document = { _id: idIn(filter) ?? new ObjectId(), ...demandedBy(filter) };
      applyUpdate(document, copyOf(update), true);
      insert(document);
      return written(0, 0, document._id);
    },
    remove: (documents) => documents.filter(({ _id }) => stored.delete(keyOf(_id))).length,
    expire: (now) => {
      for (const { key, expireAfterSeconds } of indexes.values()) {
        if (expireAfterSeconds === undefined) continue;
        const [path = ''] = Object.keys(key);
        const isOver = (document: Fields): boolean => {
          const at = valueAt(document, path);
          return at instanceof Date && at.getTime() + expireAfterSeconds * 1000 <= now.getTime();
        };
        for (const document of stored.values()) if (isOver(document)) stored.delete(keyOf(document._id));
      }
    },
    all: () => [...stored.values()],
  };
};
