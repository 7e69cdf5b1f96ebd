import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A named place where a test may have the process killed, as a power cut would. Armed by a file of
 * that name in CRASH_DIR (set only by the local stack); the file is taken away first, so that the
 * process which replaces this one goes on.
 */
export const crashPoint = (name: string): void => {
  const folder = process.env.CRASH_DIR;
  if (!folder) return;
  const armed = join(folder, name);
  if (!existsSync(armed)) return;
  unlinkSync(armed);
  process.kill(process.pid, 'SIGKILL');
};
