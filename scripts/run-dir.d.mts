/** Makes a run directory, or finds it, and gives its real path. */
export function makeRunDir(dir: string): string;
/** The file that says where everything of a run is. */
export function stackFile(dir: string): string;
/** What stack.json of a running suite says; undefined until it is ready. */
export function readStack(dir: string):
  | {
      mongoUrl: string;
      amqpUrl: string;
      baseUrl: string;
      apiPrefix: string;
      mailcatcher?: string;
      services: Record<string, readonly { pid?: number }[]>;
      processes: Record<string, number>;
      infrastructure: Record<'mongodb' | 'rabbitmq', { pid?: number }>;
    }
  | undefined;
/** The command line of `up` and `down`; throws with what is wrong about it. */
export function readOptions(argv: readonly string[]): {
  dir: string;
  replicas: number | undefined;
  workers: number | undefined;
  port: number | undefined;
};
/** The options of `up` that a running suite was not started with, each with what it has instead. */
export function notApplied(
  options: { replicas?: number | undefined; workers?: number | undefined; port?: number | undefined },
  stack: { baseUrl?: string; services: Record<string, readonly unknown[]> },
): string[];
/** The supervisor of a run directory, while it lives. */
export function supervisorOf(dir: string): { pid: number } | undefined;
/** Ends what a supervisor that was killed left running; returns how many processes that were. */
export function endLeftovers(dir: string, spared?: readonly number[]): Promise<number>;
/** Ends the supervisor of a run directory and everything it runs. False when nothing ran. */
export function endRun(dir: string, deadlineMs?: number): Promise<boolean>;
/** Starts a supervisor in a run directory; undefined when another has it. */
export function startSupervisor(
  options: {
    dir: string;
    withPrograms?: boolean;
    tied?: boolean;
    replicas?: number | undefined;
    workers?: number | undefined;
    port?: number | undefined;
    /** What its processes find in their environment beside ours. */
    env?: Record<string, string>;
  },
  say: (line: string) => void,
): Promise<import('node:child_process').ChildProcess | undefined>;
