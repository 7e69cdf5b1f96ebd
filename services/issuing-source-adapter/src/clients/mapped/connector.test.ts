import { expect, test } from '@jest/globals';
import type { Asking } from '../connector.ts';
import { createMappedConnector, type MappedOptions } from './connector.ts';

const urls: string[] = [];
const connector = createMappedConnector({
  source: {
    name: 'source',
    request: { method: 'GET', url: 'https://source.example/v1/licences/{{number}}/check/{{surname}}' },
    reply: {},
  } as unknown as MappedOptions['source'],
  exchange: async ({ url }) => {
    urls.push(url);
    return { kind: 'OUTAGE', outage: 'UNREACHABLE' };
  },
  credentials: () => ({ key: 'secret' }),
});
const ask = (number: string, surname: string) =>
  connector.ask({
    checkId: 'check-1',
    tenantId: 'acme',
    question: { values: { number, surname } },
  } as unknown as Asking);

test.each([
  ['..', 'SMITH'],
  ['.', 'SMITH'],
  ['T1', '..'],
])(
  'a value of %s and %s would lead to another path of the source, so the source is not asked',
  async (number, surname) => {
    expect(await ask(number, surname)).toMatchObject({ kind: 'OUTAGE', code: 'STEP_OF_DOTS' });
    expect(urls).toEqual([]);
  },
);

test('dots within a value are part of it', async () => {
  await ask('T.1..', 'ST. JOHN/..');
  expect(urls).toEqual(['https://source.example/v1/licences/T.1../check/ST.%20JOHN%2F..']);
});
