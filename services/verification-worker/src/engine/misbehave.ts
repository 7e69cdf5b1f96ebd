import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Misbehaviour } from './protocol.ts';

/** What a hostile image could make of a process; for tests. Done unless the file exists, which is then made: so that a retry succeeds. */
export async function misbehave(how: Misbehaviour, unlessExists: string | undefined): Promise<{ pid: number }> {
  const seenBefore = unlessExists !== undefined && existsSync(unlessExists);
  if (unlessExists !== undefined && !seenBefore) writeFileSync(unlessExists, '');
  if (!seenBefore) await MISCHIEF[how]();
  return { pid: process.pid };
}

const MISCHIEF: Record<Misbehaviour, () => void | Promise<void>> = {
  segfault: async () => {
    process.kill(process.pid, 'SIGSEGV');
    await wait(60_000);
  },
  exit: () => process.exit(3),
  hang: () => {
    for (;;) Math.random();
  },
  sleep: () => wait(500),
  'eat-memory': async () => {
    const eaten: Buffer[] = [];
    for (;;) {
      eaten.push(Buffer.alloc(16 * 1024 * 1024, eaten.length));
      await wait(5);
    }
  },
  throw: () => {
    throw new RangeError('as asked');
  },
};
