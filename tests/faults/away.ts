import { setTimeout as pause } from 'node:timers/promises';
import type { Exercise } from './run.ts';
import type { Stage } from './stage.ts';
import { most, waitingToBePublished } from './watch.ts';

const LOOK_EVERY_MS = 2000;

/**
 * The broker refuses every connection for a time; then the events that waited are published. Writes
 * into `figures` the most events that waited, and how long it took to publish them.
 */
export const brokerAway = (stage: Stage, ms: number, figures: Record<string, number>): Exercise => ({
  name: 'the broker is away',
  run: async () => {
    const before = stage.struck();
    const end = stage.begin({ target: 'rabbitmq', kind: 'refuse' });
    const look = async (): Promise<number> => {
      const waiting = await waitingToBePublished();
      most(figures, 'documents with events to publish, most', waiting);
      return waiting;
    };
    const until = performance.now() + ms;
    while (performance.now() < until) {
      await look();
      await pause(LOOK_EVERY_MS);
    }
    end();
    const since = performance.now();
    // Under load a few events are always on their way.
    while ((await look()) > stage.labels.length) await pause(LOOK_EVERY_MS);
    figures['until they were published, s'] = Math.round((performance.now() - since) / 1000);
    return stage.struck() - before;
  },
});
