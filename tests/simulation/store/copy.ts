import mongoose from 'mongoose';
import type { Fields } from './paths.ts';

const { Binary, ObjectId } = mongoose.mongo;

const isBson = (value: object): boolean => '_bsontype' in value;

const copyOfValue = (value: unknown, promoteBuffers: boolean): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((one: unknown) => (one === undefined ? null : copyOfValue(one, promoteBuffers)));
  // Most values are plain objects, so that is checked first.
  if (Object.getPrototypeOf(value) === Object.prototype) return copyOf(value as Fields, promoteBuffers);
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof Binary)
    return promoteBuffers ? Buffer.from(value.buffer) : new Binary(Buffer.from(value.buffer));
  if (value instanceof Uint8Array) return promoteBuffers ? Buffer.from(value) : new Binary(Buffer.from(value));
  if (value instanceof ObjectId) return value;
  if ('toBSON' in value && typeof value.toBSON === 'function') return copyOfValue(value.toBSON(), promoteBuffers);
  if (isBson(value)) throw new Error(`the simulated store keeps no ${value.constructor.name}`);
  return copyOf(value as Fields, promoteBuffers);
};

/**
 * A document as the server returns it: a copy, without absent values, and with bytes as `Binary`
 * unless buffers are asked for.
 */
export const copyOf = (document: Fields, promoteBuffers = false): Fields => {
  const copy: Fields = {};
  for (const key of Object.keys(document)) {
    const value = document[key];
    if (value !== undefined) copy[key] = copyOfValue(value, promoteBuffers);
  }
  return copy;
};
