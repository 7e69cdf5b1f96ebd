import { readFileSync } from 'node:fs';
import { readStack } from '@assay/testing';
import type { Stage } from './stage.ts';

const LOOK_EVERY_MS = 2000;

/** The memory of a process in megabytes; undefined if it has just ended. */
const memoryMb = (pid: number | undefined): number | undefined => {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
};

const seriesOf = (metrics: string, name: string): number[] =>
  [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gm'))].map(([, value]) => Number(value));

/** Documents of all services with events that wait to be published. */
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

/** Records the highest value seen. */
export const most = (seen: Record<string, number>, name: string, value: number | undefined): void => {
  if (value !== undefined) seen[name] = Math.max(seen[name] ?? 0, value);
};

/**
 * Measures the memory of each service process every two seconds and writes the highest value into
 * `figures`. The function that it returns ends that.
 */
export const watchMemory = (stage: Pick<Stage, 'labels' | 'pidOf'>, figures: Record<string, number>): (() => void) => {
  const look = (): void => {
    for (const label of stage.labels) most(figures, `${label}, most MB`, memoryMb(stage.pidOf(label)));
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => clearInterval(timer);
};
