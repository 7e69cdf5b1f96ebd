/**
 * The browser of the console's story: Debian's Chromium, installed when that is possible and it is
 * missing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const chromium = '/usr/bin/chromium';

// Two runs may meet here: the second waits and finds the work done.
const script = `
[ -x "$(command -v flock)" ] && exec 9>/tmp/assay-install.lock && flock 9
[ -x ${chromium} ] && exit 0
apt-get update -qq
apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 chromium
`;

/** @throws with what to do when there is no browser and it cannot be installed */
export const ensureBrowser = (say = console.log) => {
  if (existsSync(chromium)) return;
  if (process.getuid?.() !== 0)
    throw new Error('Chromium is not there: install it (as root: apt-get install chromium)');
  say('installing chromium with apt, because there is no browser for the story of the console');
  const { status } = spawnSync('sh', ['-c', script], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0 || !existsSync(chromium))
    throw new Error('Chromium could not be installed: apt-get install chromium');
};
