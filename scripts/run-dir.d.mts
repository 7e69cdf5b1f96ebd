/** Makes a run directory, or finds it, and gives its real path. */
export function makeRunDir(dir: string): string;
/** What stack.json of a running suite says. */
export function readStack(dir: string): { mongoUrl: string; amqpUrl: string };
/** Starts a supervisor in a run directory. */
export function startSupervisor(
  options: { dir: string; withPrograms?: boolean; tied?: boolean; workers?: number; port?: number },
  say: (line: string) => void,
): Promise<import('node:child_process').ChildProcess>;
