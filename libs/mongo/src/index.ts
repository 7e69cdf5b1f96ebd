/** MongoDB as the services use it: one connection a database, outbox, inbox, optimistic concurrency. */
export { trusted } from 'mongoose';
export { type Blobs, createBlobs } from './blobs.ts';
export { connectMongo, type Database } from './connect.ts';
export { inboxFields, notYet, remember } from './inbox.ts';
export {
  createOutbox,
  type EntryOptions,
  type Outbox,
  type OutboxDocument,
  type OutboxOptions,
  outboxEntry,
  outboxFields,
  outboxIndex,
} from './outbox.ts';
export { isDuplicateKey, type Revised, TooManyConflicts, updateWithRevision } from './revision.ts';
