import { describe, expect, test } from '@jest/globals';
import { isDependencyDown, isUnexplained } from './dependency.ts';

const failure = (name: string, more: object = {}, message = '') => Object.assign(new Error(message), { name }, more);

describe('a failure of a dependency of the process', () => {
  test.each([
    ['a step-down', failure('MongoServerError', { code: 189 })],
    ['a write to what is no longer the primary', failure('MongoServerError', { code: 10107 })],
    ['a server that shuts down', failure('MongoServerError', { code: 91 })],
    ['an interrupted write at shutdown', failure('MongoServerError', { code: 11600 })],
    ['an interrupted write at an election', failure('MongoWriteConcernError', { code: 11602 })],
    ['an operation that somebody killed', failure('MongoServerError', { code: 11601 })],
    ['a lock that was not free in time', failure('MongoServerError', { code: 24 })],
    ['a lock that is busy', failure('MongoServerError', { code: 46 })],
    ['a write in the way of another', failure('MongoServerError', { code: 112 })],
    ['a cursor that a restart lost', failure('MongoServerError', { code: 43 })],
    ['a cursor that somebody killed', failure('MongoServerError', { code: 237 })],
    ['a query whose index was dropped under it', failure('MongoServerError', { code: 175 })],
    ['a majority that is not there yet', failure('MongoServerError', { code: 134 })],
    ['keys of the cluster that are not there yet', failure('MongoServerError', { code: 211 })],
    ['an election', failure('MongoServerError', { code: 216 })],
    ['a shard that has moved', failure('MongoServerError', { code: 249 })],
    ['a write concern that the server does not know', failure('MongoWriteConcernError', { code: 79 })],
    ['a snapshot that is too old', failure('MongoServerError', { code: 239 })],
    ['more sessions than the server has', failure('MongoServerError', { code: 261 })],
    ['more files than the server may open', failure('MongoServerError', { code: 264 })],
    ['a transaction that took too long', failure('MongoServerError', { code: 290 })],
    ['writes that an administrator stopped', failure('MongoServerError', { code: 371 })],
    ['a login that has ended', failure('MongoServerError', { code: 391 })],
    ['a server that is overloaded', failure('MongoServerError', { code: 433 })],
    ['a shard that is being divided', failure('MongoServerError', { code: 453 })],
    ['an upgrade of the server', failure('MongoServerError', { code: 10045600 })],
    ['a quota', failure('MongoServerError', { code: 8000 })],
    ['a missing right', failure('MongoServerError', { code: 13 })],
    ['a wrong password', failure('MongoServerError', { code: 18 })],
    ['a full disk of the database', failure('MongoServerError', { code: 8 }, '28: No space left on device')],
    ['a full disk here', failure('Error', { code: 'ENOSPC' })],
    ['a refused connection', failure('Error', { code: 'ECONNREFUSED' })],
    ['no server to choose', failure('MongooseServerSelectionError')],
    ['a cut connection', failure('MongoNetworkError')],
    ['an event that was not confirmed', failure('NotPublished')],
    ['503 of another service', failure('ApiError', { status: 503 })],
    [
      'a connection cut under several writes',
      failure('MongoBulkWriteError', { errorResponse: failure('MongoPoolClearedError') }),
    ],
    ['its cause', failure('Error', { cause: failure('MongoNetworkTimeoutError') })],
  ])('%s', (_what, error) => expect(isDependencyDown(error)).toBe(true));

  test.each([
    ['a duplicate key', failure('MongoServerError', { code: 11000 })],
    ['a document that fails validation', failure('MongoServerError', { code: 121 })],
    ['an operation of which the server only says that it failed', failure('MongoServerError', { code: 96 })],
    ['an internal error of the server', failure('MongoServerError', { code: 1 })],
    ['an error that the server does not know', failure('MongoServerError', { code: 8 })],
    ['an operation that this server never does', failure('MongoServerError', { code: 20 })],
    ['a number that means something else elsewhere', failure('Error', { code: 13 })],
    ['an error of our own', failure('TypeError')],
    ['404 of another service', failure('ApiError', { status: 404 })],
    ['no error at all', 'ECONNREFUSED'],
  ])('is not %s', (_what, error) => expect(isDependencyDown(error)).toBe(false));
});

describe('a failure of MongoDB that it does not explain', () => {
  test.each([
    ['an internal error of the server', failure('MongoServerError', { code: 1 })],
    ['an error that the server does not know', failure('MongoServerError', { code: 8 })],
    ['an operation of which the server only says that it failed', failure('MongoServerError', { code: 96 })],
    [
      'among several writes',
      failure('MongoBulkWriteError', { errorResponse: failure('MongoServerError', { code: 8 }) }),
    ],
  ])('%s', (_what, error) => expect(isUnexplained(error)).toBe(true));

  test.each([
    ['an operation that this server never does', failure('MongoServerError', { code: 20 })],
    ['a duplicate key', failure('MongoServerError', { code: 11000 })],
    ['an error of our own', failure('Error', { code: 8 })],
  ])('is not %s', (_what, error) => expect(isUnexplained(error)).toBe(false));
});
