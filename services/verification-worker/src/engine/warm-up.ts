import sharp from 'sharp';
import type { Jobs } from './jobs.ts';

/**
 * Runs each kind of job once on a picture of ordinary size, so that the first customer does not pay for allocation and
 * compilation. Nothing is expected to be found in noise.
 */
export async function warmUp(jobs: Jobs): Promise<void> {
  const noise = (width: number, height: number) =>
    sharp({
      create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
    })
      .jpeg()
      .toBuffer();
  await jobs.portrait({ image: await noise(900, 1200) });
  await jobs.document({ front: await noise(1600, 1130), details: {}, today: '2025-01-01' });
}
