import { readConfig } from '@assay/runtime';
import { expect, test } from '@jest/globals';
import { segments } from './segments.ts';

const read = (API_PREFIX: string) => readConfig({ API_PREFIX: segments }, { API_PREFIX });

test('paths begin with segments', () => {
  expect(read('svc, idv-2')).toEqual({ API_PREFIX: ['svc', 'idv-2'] });
});

test.each(['admin', 'svc,Console', 'operator', 'docs', 'schemas', 'sign-in', 'specimens', 'svc/eu', '.well-known'])(
  '%s is refused',
  (prefixes) => {
    expect(() => read(prefixes)).toThrow('API_PREFIX holds');
  },
);
