import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A named point at which a test can kill the process. It is armed by a file of that name in
 * CRASH_DIR (set only by the local stack); the file is removed first, so that the next process
 * continues.
 */
export const crashPoint = (name: string): void => {
  const folder = process.env.CRASH_DIR;
  if (!folder) return;
  const armed = join(folder, name);
  if (!existsSync(armed)) return;
  unlinkSync(armed);
  process.kill(process.pid, 'SIGKILL');
};
