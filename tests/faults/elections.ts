import { setTimeout as pause } from 'node:timers/promises';
import type { Exercise } from './run.ts';
import type { Stage } from './stage.ts';

const EVERY_MS = 3000;
/** What a replica set needs to agree on the next primary if the former one stands down itself. */
const WITHOUT_PRIMARY_MS = 600;
const NOT_WRITABLE_PRIMARY = 10107;

/**
 * The primary of the database steps down every three seconds: for a while it takes no commands,
 * then it closes its connections.
 */
export const repeatedElections = (stage: Stage, ms: number): Exercise => ({
  name: 'the primary steps down every 3 s',
  run: async () => {
    const before = stage.struck();
    const until = performance.now() + ms;
    while (performance.now() < until) {
      const end = stage.begin({ target: 'mongodb', kind: 'answer', code: NOT_WRITABLE_PRIMARY });
      await pause(WITHOUT_PRIMARY_MS);
      end();
      stage.begin({ target: 'mongodb', kind: 'cut' })();
      await pause(EVERY_MS - WITHOUT_PRIMARY_MS);
    }
    return stage.struck() - before;
  },
});
