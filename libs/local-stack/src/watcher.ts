import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Remembers process groups (by id) and containers (`docker:NAME`) and ends them when this process
 * is gone, however it went: a shell that reads them from a pipe, and finds the pipe closed. They
 * are killed at once then; a graceful end is the business of a living parent.
 */
const script = `
things=
while read -r op id; do
  case $op in
    +) things="$things $id" ;;
    -) rest=; for g in $things; do [ "$g" = "$id" ] || rest="$rest $g"; done; things=$rest ;;
  esac
done
for g in $things; do
  case $g in
    docker:*) docker rm -f -v "\${g#docker:}" >/dev/null 2>&1 ;;
    *) kill -s KILL -- "-$g" 2>/dev/null ;;
  esac
done
`;

const watched = new Set<number | string>();
let shell: ChildProcess | undefined;

const startShell = (): ChildProcess => {
  const started = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  started.stdin?.on('error', () => undefined);
  started.on('exit', () => {
    if (shell !== started) return;
    shell = undefined;
    if (watched.size > 0) shell = startShell();
  });
  for (const id of watched) started.stdin?.write(`+ ${id}\n`);
  started.unref();
  (started.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return started;
};

/** Ties the life of a process group or container to this process. */
export const watch = (thing: number | string): void => {
  watched.add(thing);
  if (shell) shell.stdin?.write(`+ ${thing}\n`);
  else shell = startShell();
};

/** Lets one that has ended go; the last one to go ends the watcher. */
export const unwatch = (thing: number | string): void => {
  if (!watched.delete(thing)) return;
  if (watched.size > 0) {
    shell?.stdin?.write(`- ${thing}\n`);
    return;
  }
  shell?.kill('SIGKILL');
  shell = undefined;
};
