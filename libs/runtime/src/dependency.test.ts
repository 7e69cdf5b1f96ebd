import { describe, expect, test } from '@jest/globals';
import { isDependencyDown } from './dependency.ts';

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
    ['a number that means something else elsewhere', failure('Error', { code: 13 })],
    ['an error of our own', failure('TypeError')],
    ['404 of another service', failure('ApiError', { status: 404 })],
    ['no error at all', 'ECONNREFUSED'],
  ])('is not %s', (_what, error) => expect(isDependencyDown(error)).toBe(false));
});
