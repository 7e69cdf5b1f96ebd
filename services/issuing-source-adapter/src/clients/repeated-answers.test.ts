import { startStutteringPeer } from '@assay/testing';
import { expect, test } from '@jest/globals';
import type { Asking } from './connector.ts';
import { openSources } from './connectors.ts';

const answerTo = (question: string) => {
  const number = /number=(\w+)/.exec(question)?.[1] ?? '';
  return { body: { outcome: number === 'KNOWN' ? 'Y' : 'N', check: `check-${number}` } };
};

const YES_OR_NO = { pointer: '/outcome', values: { Y: 'VERIFIED', N: 'FAILED' } };

test.each([
  ['no answer repeats the question', { result: YES_OR_NO }],
  ['an answer may be a status alone', { result: YES_OR_NO, echo: '/check', statuses: { 404: 'FAILED' } }],
])('an answer that is sent twice counts for its own question alone, where %s', async (_where, reply) => {
  const { url, close } = await startStutteringPeer(answerTo);
  const request = { method: 'GET', url: `${url}/?number={{number}}` };
  const { connectors } = openSources({
    mapped: [{ name: 'MAPPED', request, reply }] as unknown as NonNullable<Parameters<typeof openSources>[0]['mapped']>,
    credentials: { default: { MAPPED: {} } },
    now: () => new Date(),
  });
  const ask = (number: string) => {
    const question = { type: 'PASSPORT', country: 'AUS', values: { number } };
    const asking = { checkId: `check-${number}`, tenantId: 'acme', timeoutMs: 5000, question } as unknown as Asking;
    return connectors.get('MAPPED')?.ask(asking);
  };
  expect(await ask('KNOWN')).toMatchObject({ kind: 'ANSWER', answer: { result: 'VERIFIED' } });
  expect(await ask('OTHER')).toMatchObject({ kind: 'ANSWER', answer: { result: 'FAILED' } });
  close();
});
