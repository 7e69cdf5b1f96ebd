import { todayAt } from '@assay/contracts';
import sharp from 'sharp';
import type { Jobs } from './jobs.ts';

/**
 * Runs each kind of job once, so that a process that cannot do one is never ready, and the first
 * customer pays for little of what happens once. The pictures are empty: in noise every search
 * would go on to its end. The page is small: one of ordinary size takes 0.7 to 1 s more of a core,
 * and the first passport after it is read in the same time (0.9 to 1.1 s, later ones 0.7 s).
 */
export async function warmUp(jobs: Jobs): Promise<void> {
  const grey = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
  await jobs.portrait({ image: await grey(900, 1200) });
  await jobs.document({ front: await grey(120, 85), details: {}, today: todayAt(new Date('2025-01-01')) });
}
