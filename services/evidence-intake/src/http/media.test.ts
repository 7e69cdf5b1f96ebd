import { Readable } from 'node:stream';
import { ApiError } from '@assay/http';
import { describe, expect, test } from '@jest/globals';
import { begun } from './media.ts';

const named = (name: string): Error => Object.assign(new Error('it does not begin'), { name });
const failing = (error: Error): Readable =>
  new Readable({
    read() {
      this.destroy(error);
    },
  });

describe('a medium that does not begin', () => {
  test.each(['BlobMissing', 'SealedStreamAltered'])('is not found when it is lost: %s', async (name) => {
    const error = await begun(failing(named(name))).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).status).toBe(404);
  });

  test.each(['MongoNetworkError', 'MongoServerSelectionError', 'ObjectStoreDown', 'Error'])(
    'is not reported as lost when the store could not be read: %s',
    async (name) => {
      const error = named(name);
      await expect(begun(failing(error))).rejects.toBe(error);
    },
  );
});

test('a medium whose first bytes can be read is sent completely', async () => {
  const bytes = await begun(Readable.from([Buffer.from('a medium')], { objectMode: false }));
  expect((await bytes.toArray()).join('')).toBe('a medium');
});
