import { todayAt } from '@assay/contracts';
import sharp from 'sharp';
import type { Jobs } from './jobs.ts';

/**
 * Runs each kind of job once on a picture of ordinary size, so that the first customer does not pay
 * for allocation and compilation. The picture is empty: in noise every search would go on to its
 * end, and a process be ready a good second later.
 */
export async function warmUp(jobs: Jobs): Promise<void> {
  const grey = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
  await jobs.portrait({ image: await grey(900, 1200) });
  await jobs.document({ front: await grey(1600, 1130), details: {}, today: todayAt(new Date('2025-01-01')) });
}
