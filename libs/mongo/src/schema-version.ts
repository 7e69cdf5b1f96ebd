import type { Schema } from 'mongoose';

/**
 * The version of a stored document's shape; a document without one was stored before there were
 * any.
 */
export const FIRST_VERSION = 1;

/**
 * Has every new document carry the version of its shape, in the write that stores it. A schema
 * whose shape has changed says so itself (`schemaVersion`), and its store reads the former shapes;
 * nobody else is shown the version. Parts of documents have no id, and no version of their own.
 */
export const carryVersion = (schema: Schema): void => {
  if (schema.get('_id') === false || schema.path('schemaVersion')) return;
  schema.add({ schemaVersion: { type: Number, default: FIRST_VERSION, select: false } });
};
