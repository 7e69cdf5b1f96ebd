/**
 * The health check of the image: 0 while the service is ready. Docker only notes that a container
 * is unhealthy, so a service that has answered nothing for two minutes, as one that is busy without
 * end, is killed here, and `restart` starts it again. Kubernetes has probes of its own.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ANSWER_MS = 5000;
const SILENT_SECONDS = 120;
/** When the service was first found silent, by the clock that all processes share and nobody sets. */
const NOTE = join(tmpdir(), 'assay-silent-since');
/** The process whose child the service is: what `init: true` starts. */
const [, , init = '1'] = process.argv;

const [seconds] = process.hrtime();
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
/** The fourth field of a process's state is its parent; its name, in parentheses, may hold anything. */
const parentOf = (pid) => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1];
const isService = (pid) =>
  /^\d+$/.test(pid) && parentOf(pid) === init && read(`/proc/${pid}/cmdline`).includes('entrypoint.mjs');

const silent = () => {
  const since = read(NOTE);
  if (since === '') writeFileSync(NOTE, String(seconds));
  if (since === '' || seconds - Number(since) < SILENT_SECONDS) return;
  rmSync(NOTE, { force: true });
  for (const pid of readdirSync('/proc').filter(isService)) process.kill(Number(pid), 'SIGKILL');
};

const answer = await fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/health/ready`, {
  signal: AbortSignal.timeout(ANSWER_MS),
}).catch(() => undefined);
if (answer) rmSync(NOTE, { force: true });
else silent();
process.exit(answer?.ok ? 0 : 1);
