import { expect, test } from '@jest/globals';
import { objectStoreIn } from './object-store-config.ts';

const NONE = {
  MEDIA_BUCKET: undefined,
  MEDIA_REGION: 'us-east-1',
  MEDIA_ENDPOINT: undefined,
  MEDIA_ACCESS_KEY: undefined,
  MEDIA_SECRET_KEY: undefined,
};

test.each([
  [{ MEDIA_BUCKET: 'media', MEDIA_ACCESS_KEY: 'id' }, 'MEDIA_ACCESS_KEY and MEDIA_SECRET_KEY are given together'],
  [{ MEDIA_BUCKET: 'media', MEDIA_SECRET_KEY: 'secret' }, 'MEDIA_ACCESS_KEY and MEDIA_SECRET_KEY are given together'],
  [{ MEDIA_ENDPOINT: 'http://objects' }, 'MEDIA_BUCKET is missing'],
  [{ MEDIA_ACCESS_KEY: 'id', MEDIA_SECRET_KEY: 'secret' }, 'MEDIA_BUCKET is missing'],
])('half an object store is refused: %j', (given, said) => {
  expect(() => objectStoreIn({ ...NONE, ...given })).toThrow(said);
});

test('a whole one is taken, with keys or without', () => {
  expect(objectStoreIn({ ...NONE, MEDIA_BUCKET: 'media' })).toMatchObject({ bucket: 'media', region: 'us-east-1' });
  const keys = { MEDIA_ACCESS_KEY: 'id', MEDIA_SECRET_KEY: 'secret' };
  expect(objectStoreIn({ ...NONE, ...keys, MEDIA_BUCKET: 'media' })).toMatchObject({
    accessKey: 'id',
    secretKey: 'secret',
  });
});

test('without any of it media are in MongoDB', () => {
  expect(objectStoreIn({ ...NONE, MEDIA_REGION: 'eu-west-1' })).toBeUndefined();
});
