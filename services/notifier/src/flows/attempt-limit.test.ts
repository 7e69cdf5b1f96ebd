import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAttemptLimit } from './attempt-limit.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('deliveries to one receiver, and to all, stay within their limits and in order; each is sent', async () => {
  const tenants = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(tenants, fc.infiniteStream(fc.nat()), async (all, picks) => {
      const limit = createAttemptLimit(2, 3);
      const sending: { tenant: string; number: number }[] = [];
      const sent: { tenant: string; number: number }[] = [];
      for (const [number, tenant] of all.entries())
        void limit.enter(tenant).then((mayBegin) => mayBegin && sending.push({ tenant, number }));
      for (const pick of picks) {
        await settled();
        expect(sending.length).toBeLessThanOrEqual(3);
        for (const one of ['a', 'b', 'c'])
          expect(sending.filter(({ tenant }) => tenant === one).length).toBeLessThanOrEqual(2);
        if (sending.length === 0) break;
        const [ended] = sending.splice(pick % sending.length, 1);
        sent.push(ended!);
        limit.leave(ended!.tenant);
      }
      expect(sent.map(({ number }) => number).sort((a, b) => a - b)).toEqual(all.map((_, number) => number));
    }),
  );
});

test('while all places are taken, the receivers get free ones one after another', async () => {
  const limit = createAttemptLimit(2, 2);
  const began: string[] = [];
  for (const tenant of ['a', 'a', 'a', 'a', 'a', 'b']) void limit.enter(tenant).then(() => began.push(tenant));
  await settled();
  limit.leave('a');
  limit.leave('a');
  await settled();
  expect(began).toEqual(['a', 'a', 'a', 'b']);
});

test('waiting deliveries are refused when the process closes, and so are later ones', async () => {
  const limit = createAttemptLimit(1, 1);
  expect(await limit.enter('a')).toBe(true);
  const waits = limit.enter('a');
  limit.close();
  expect(await waits).toBe(false);
  expect(await limit.enter('b')).toBe(false);
});
