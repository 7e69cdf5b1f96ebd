import { setImmediate as soon } from 'node:timers/promises';
import type { AuditAct } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AuditContent, type AuditEntry, faultOf } from '../domain/audit.ts';
import { type ChainStore, createAppender, type StoredEntry } from './audit-appender.ts';

const CHAIN = 'chain';
const act = (requestId: string): AuditContent => ({
  act: 'identity.read' satisfies AuditAct,
  actor: { keyId: 'key', role: 'RELYING_SERVICE' },
  subject: {},
  requestId,
});

/** Chains as the database has them: one entry wins each place, and each command takes its time. */
const createChains = () => {
  const entries: StoredEntry[] = [];
  const fails: Error[] = [];
  let seals = 0;
  const store: ChainStore = {
    lastOf: async () => {
      await soon();
      return entries.at(-1) ?? null;
    },
    marked: async (_chain, marks) => {
      await soon();
      return entries.filter(({ once }) => once !== undefined && marks.includes(once));
    },
    insert: async (lines) => {
      for (const line of lines) {
        await soon();
        const failure = fails.pop();
        if (failure) throw failure;
        if (entries.some(({ seq }) => seq === line.seq)) throw Object.assign(new Error('taken'), { code: 11000 });
        entries.push(line);
      }
    },
    among: async (lines) => new Set(lines.flatMap(({ hash }) => entries.find((one) => one.hash === hash)?.hash ?? [])),
    seal: () => {
      seals += 1;
      return { salt: Buffer.from(String(seals)).toString('base64'), at: '2026-03-01T10:00:00.000' };
    },
  };
  return { entries, fails, store };
};

const requestsIn = (entries: readonly AuditEntry[]) => entries.map(({ content }) => content?.requestId);
const faultsIn = (entries: readonly AuditEntry[]) =>
  entries.flatMap((entry, at) => faultOf(entries[at - 1], entry) ?? []);

describe('acts that are recorded at the same time', () => {
  test('by several processes are in the chain once each, and each caller is given the entry of its own act', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 12 }), async (processes) => {
        const { entries, store } = createChains();
        const appenders = [0, 1, 2].map(() => createAppender(store));
        const made = await Promise.all(
          processes.map((process, number) => appenders[process]!.append(CHAIN, act(`request ${number}`))),
        );
        expect(requestsIn(made)).toEqual(processes.map((_, number) => `request ${number}`));
        expect(requestsIn(entries).sort()).toEqual(requestsIn(made).sort());
        expect(faultsIn(entries)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('under one mark have one entry, which all callers are given, also when it was there before', async () => {
    const { entries, store } = createChains();
    const appenders = [createAppender(store), createAppender(store)] as const;
    const once = (process: 0 | 1, mark: string) => appenders[process].append(CHAIN, act(mark), mark);
    const first = await Promise.all([once(0, 'a'), once(1, 'a'), once(0, 'b'), once(0, 'a'), once(1, 'b')]);
    const later = await once(1, 'a');
    expect(entries.map(({ once: mark }) => mark).sort()).toEqual(['a', 'b']);
    expect(requestsIn([...first, later])).toEqual(['a', 'a', 'b', 'a', 'b', 'a']);
    expect(later.seq).toBe(first[0].seq);
    expect(faultsIn(entries)).toEqual([]);
  });

  test('have no mark in common with acts that have none', async () => {
    const { entries, store } = createChains();
    const { append } = createAppender(store);
    await Promise.all([...['1', '2', '3'].map((each) => append(CHAIN, act(each))), append(CHAIN, act('4'), 'mark')]);
    expect(requestsIn(entries)).toEqual(['1', '2', '3', '4']);
    expect(entries.map(({ once }) => once)).toEqual([undefined, undefined, undefined, 'mark']);
  });
});

test('a database that fails is an error for those who wait, and those who come later are recorded', async () => {
  const { entries, fails, store } = createChains();
  const { append, close } = createAppender(store);
  fails.push(new Error('away'));
  const waiting = await Promise.allSettled([append(CHAIN, act('1')), append(CHAIN, act('2'))]);
  expect(waiting.map(({ status }) => status)).toContain('rejected');
  await append(CHAIN, act('3'));
  await close();
  expect(requestsIn(entries)).toContain('3');
  expect(faultsIn(entries)).toEqual([]);
});

test('an appender that is closed has written what waited', async () => {
  const { entries, store } = createChains();
  const { append, close } = createAppender(store);
  const acts = ['1', '2', '3'].map((request) => append(CHAIN, act(request)));
  await close();
  expect(requestsIn(entries)).toEqual(['1', '2', '3']);
  await Promise.all(acts);
});
