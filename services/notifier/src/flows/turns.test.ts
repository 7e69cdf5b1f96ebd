import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTurns } from './turns.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('deliveries to one receiver, and to all, stay within their limits and in order; each has its turn', async () => {
  const tenants = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(tenants, fc.infiniteStream(fc.nat()), async (all, picks) => {
      const turns = createTurns(2, 3);
      const sending: { tenant: string; number: number }[] = [];
      const sent: { tenant: string; number: number }[] = [];
      for (const [number, tenant] of all.entries())
        void turns.enter(tenant).then((isTurn) => isTurn && sending.push({ tenant, number }));
      for (const pick of picks) {
        await settled();
        expect(sending.length).toBeLessThanOrEqual(3);
        for (const one of ['a', 'b', 'c'])
          expect(sending.filter(({ tenant }) => tenant === one).length).toBeLessThanOrEqual(2);
        if (sending.length === 0) break;
        const [ended] = sending.splice(pick % sending.length, 1);
        sent.push(ended!);
        turns.leave(ended!.tenant);
      }
      expect(sent.map(({ number }) => number).sort((a, b) => a - b)).toEqual(all.map((_, number) => number));
    }),
  );
});

test('while all places are taken, the receivers get free ones in turn', async () => {
  const turns = createTurns(2, 2);
  const began: string[] = [];
  for (const tenant of ['a', 'a', 'a', 'a', 'a', 'b']) void turns.enter(tenant).then(() => began.push(tenant));
  await settled();
  turns.leave('a');
  turns.leave('a');
  await settled();
  expect(began).toEqual(['a', 'a', 'a', 'b']);
});

test('waiting deliveries are refused when the process closes, and so are later ones', async () => {
  const turns = createTurns(1, 1);
  expect(await turns.enter('a')).toBe(true);
  const waits = turns.enter('a');
  turns.close();
  expect(await waits).toBe(false);
  expect(await turns.enter('b')).toBe(false);
});
