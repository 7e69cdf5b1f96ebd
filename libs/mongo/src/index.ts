/**
 * MongoDB as the services use it: one connection a database, outbox, inbox, optimistic concurrency.
 */
export { trusted } from 'mongoose';
export { type Blobs, createBlobs, isBlobMissing, writeThrough } from './blobs.ts';
export { connectMongo, type Database } from './connect.ts';
export { directly } from './direct.ts';
export { directlyEach } from './direct-groups.ts';
export { isDuplicateKey, unlessDuplicate } from './duplicate.ts';
export { createGroupCommit, type GroupCommitOptions, type Outcome } from './group-commit.ts';
export { inboxFields, notYet, remember } from './inbox.ts';
export { keepIndexes } from './indexes.ts';
export { createLookups } from './lookups.ts';
export {
  createOutbox,
  type EntryOptions,
  type Outbox,
  type OutboxOptions,
  outboxEntry,
  outboxFields,
  outboxIndex,
} from './outbox.ts';
export { type OutboxDocument, withoutOutbox } from './outbox-document.ts';
export { createRecentDocuments, type RecentDocuments } from './recent-documents.ts';
export { createRepeat, type RepeatOptions, repeatFields, repeatIndex } from './repeat.ts';
export type { RepublishOptions } from './republish.ts';
export {
  type Known,
  oneAtATime,
  type Revised,
  TooManyConflicts,
  updateWithRevision,
} from './revision.ts';
export { FIRST_VERSION } from './schema-version.ts';
export { createTombstones, type Tombstones } from './tombstones.ts';
