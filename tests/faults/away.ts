import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readStack } from '@assay/testing';
import type { Exercise } from './run.ts';
import type { Stage } from './stage.ts';

const LOOK_EVERY_MS = 2000;

/** Megabytes that a process holds now; undefined of one that has just ended. */
const heldMb = (pid: number | undefined): number | undefined => {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
};

const seriesOf = (metrics: string, name: string): number[] =>
  [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gm'))].map(([, value]) => Number(value));

/** Documents with events that wait to be published, of all services. */
export const waitingToBePublished = async (): Promise<number> => {
  const all = Object.values(readStack().services).flat();
  const counts = await Promise.all(
    all.map(async ({ adminUrl }) => {
      const metrics = await fetch(`${adminUrl}/metrics`).then(
        (response) => response.text(),
        () => '',
      );
      return seriesOf(metrics, 'assay_outbox_pending').reduce((sum, count) => sum + count, 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

/** The most of something that was seen. */
export const most = (seen: Record<string, number>, name: string, value: number | undefined): void => {
  if (value !== undefined) seen[name] = Math.max(seen[name] ?? 0, value);
};

/**
 * The broker refuses every connection for so long; then what waited is published. `figures` takes
 * the most memory of each process and the most events that waited, and how long those took.
 */
export const brokerAway = (stage: Stage, ms: number, figures: Record<string, number>): Exercise => ({
  name: 'the broker is away',
  run: async () => {
    const before = stage.struck();
    const end = stage.begin({ target: 'rabbitmq', kind: 'refuse' });
    const look = async (): Promise<number> => {
      for (const label of stage.labels) most(figures, `${label}, most MB`, heldMb(stage.pidOf(label)));
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
    // A few are always on their way under load.
    while ((await look()) > stage.labels.length) await pause(LOOK_EVERY_MS);
    figures['until they were published, s'] = Math.round((performance.now() - since) / 1000);
    return stage.struck() - before;
  },
});
