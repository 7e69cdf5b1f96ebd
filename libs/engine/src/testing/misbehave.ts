import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A request that only the host for tests answers. */
export interface MisbehaveRequest {
  kind: 'misbehave';
  how: Misbehaviour;
  /**
   * A file: when it exists the process behaves, when not it is made first. So that a retry
   * succeeds.
   */
  unlessExists?: string;
}

type Misbehaviour = 'segfault' | 'exit' | 'hang' | 'sleep' | 'eat-memory' | 'throw';

/** What a hostile image could make of a process. */
export async function misbehave({ how, unlessExists }: MisbehaveRequest): Promise<{ pid: number }> {
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
