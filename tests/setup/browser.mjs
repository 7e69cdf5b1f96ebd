/**
 * The browser of the stories about pages: Debian's Chromium, installed if it is missing and the
 * machine permits that. Its headless shell draws nothing for a desktop, so it takes a fifth of the
 * processor time that the whole browser takes. If only the whole browser is there, that one runs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const SHELL = '/usr/bin/chromium-headless-shell';
const WHOLE = '/usr/bin/chromium';

/** Where the browser is. */
export const browserPath = () => (existsSync(SHELL) ? SHELL : WHOLE);

// Two runs may meet here: the second waits and finds Chromium installed.
const script = `
[ -x "$(command -v flock)" ] && exec 9>/tmp/assay-install.lock && flock 9
[ -x ${SHELL} ] && exit 0
install() { apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$1"; }
apt-get update -qq
install chromium-headless-shell || [ -x ${WHOLE} ] || install chromium
`;

/** @throws with an instruction if there is no browser and it cannot be installed */
export const ensureBrowser = (say = console.log) => {
  if (existsSync(SHELL)) return;
  const mayInstall = process.getuid?.() === 0;
  if (mayInstall) {
    say('installing chromium-headless-shell with apt, for the stories about pages');
    spawnSync('sh', ['-c', script], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  if (existsSync(browserPath())) return;
  const how = 'apt-get install chromium-headless-shell';
  throw new Error(
    mayInstall ? `Chromium could not be installed: ${how}` : `Chromium is not there: install it (as root: ${how})`,
  );
};
