import { expect, test } from '@jest/globals';
import type { Caller } from './caller.ts';
import { createReadLog } from './read-log.ts';

const caller = (more: Partial<Caller> = {}): Caller => ({
  ...{ keyId: 'key-1', role: 'RELYING_SERVICE', requestId: 'r', startedAt: new Date(0), uri: '/', seedId: 's' },
  tenant: { tenantId: 'acme' } as Caller['tenant'] & object,
  atEnd: { checks: [], madeAt: new Date(), hasFailed: false },
  isCutOff: () => false,
  ...more,
});
const subject = (identityId: string) => ({ identityId });

const log = () => {
  const lines: unknown[] = [];
  const state: { fails?: boolean } = {};
  const record = async (chain: string, { keyId }: { keyId: string }, _act: string, subject: object) => {
    if (state.fails) throw new Error('the database is away');
    lines.push([chain, keyId, subject]);
    return undefined as never;
  };
  return { lines, state, ...createReadLog({ auditLog: { record } }) };
};

test('reads of the same thing by the same key make one entry, all others make another', async () => {
  const { lines, before } = log();
  await Promise.all([1, 2, 3].map(() => before(caller(), 'getIdentity', subject('a'))));
  await before(caller(), 'getDocumentCapture', subject('a'));
  await before(caller(), 'getIdentity', subject('b'));
  await before(caller({ keyId: 'key-2' }), 'getIdentity', subject('a'));
  expect(lines).toEqual([
    ['acme', 'key-1', subject('a')],
    ['acme', 'key-1', subject('a')],
    ['acme', 'key-1', subject('b')],
    ['acme', 'key-2', subject('a')],
  ]);
});

test('a read that cannot be recorded is refused, and the next read is recorded', async () => {
  const { lines, state, before } = log();
  state.fails = true;
  await expect(before(caller(), 'getIdentity', subject('a'))).rejects.toThrow('away');
  state.fails = false;
  await before(caller(), 'getIdentity', subject('a'));
  expect(lines).toHaveLength(1);
});

test("a person's own browser leaves no entry", async () => {
  const { lines, before } = log();
  await before(caller({ role: 'USER_AGENT' }), 'getIdentity', subject('a'));
  expect(lines).toEqual([]);
});
