import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { OnPortrait } from './engine.ts';
import type { HostMessage } from './protocol.ts';
import { withoutNetwork } from './without-network.ts';

/** How an engine process ended a request. */
export type RequestResult =
  | { kind: 'answer'; answer: unknown; residentMb: number }
  | { kind: 'fault'; message: string; residentMb: number }
  | { kind: 'crashed'; reason: string }
  | { kind: 'timeout' };

export interface ProcessLimits {
  /**
   * Milliseconds of processor time for one request. On a busy machine a process may take up to four
   * times as long by the clock.
   */
  requestMs: number;
  /** Milliseconds until the models must be loaded and warm. */
  startMs: number;
  /** Resident megabytes above which the process is ended, as a crash. */
  memoryMb: number;
}

/** One child process with its models loaded, for one request at a time. */
export interface EngineProcess {
  pid: number;
  run(request: { readonly kind: string }, onPortrait?: OnPortrait): Promise<RequestResult>;
  /** Resolves when the process has ended. */
  end(): Promise<void>;
  /** Called when it dies between requests. */
  onDeath(listener: () => void): void;
}

/**
 * Pictures make a small heap look full, and then all of it is gone through: limits that leave room
 * for some. A document takes a tenth less.
 */
const HEAP = ['--initial-old-space-size=256', '--max-semi-space-size=32'];

interface Program {
  file: string;
  execArgv: string[];
}

const programOf = (file: string): Program => ({
  file,
  execArgv: file.endsWith('.ts')
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : ['--enable-source-maps', ...HEAP],
});

/**
 * Starts a process; resolves once it is warm, rejects with the reason when it cannot be, or when
 * `stop` ends it before.
 */
export async function startEngineProcess(
  limits: ProcessLimits,
  stop: AbortSignal,
  program: string,
): Promise<EngineProcess> {
  const { file, execArgv } = programOf(program);
  // No environment and no network: a process that decodes strangers' images knows no secret of the
  // service, and has nobody to tell.
  const child = fork(file, [], {
    ...withoutNetwork(execArgv),
    serialization: 'advanced',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once('error', (error) => resolve(error.message));
  });
  const abandon = () => void child.kill('SIGKILL');
  stop.addEventListener('abort', abandon, { once: true });
  if (stop.aborted) abandon();
  const first = await within(limits.startMs, nextMessage(child, ended));
  stop.removeEventListener('abort', abandon);
  if (first === 'late' || first.kind !== 'ready') {
    child.kill('SIGKILL');
    await ended;
    throw new Error(`an engine process did not start: ${first === 'late' ? 'too slow' : reasonOf(first)}`);
  }
  return {
    pid: child.pid ?? 0,
    run: (request, onPortrait) => runIn(child, ended, request, limits, onPortrait),
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    onDeath: (listener) => void ended.then(listener),
  };
}

type Heard = HostMessage | { kind: 'crashed'; reason: string };

const reasonOf = (heard: Heard): string =>
  heard.kind === 'crashed' ? heard.reason : heard.kind === 'unfit' ? heard.message : heard.kind;

/** The next message that is no portrait's, or the end of the process, whichever comes first. */
function nextMessage(child: ChildProcess, ended: Promise<string>, onPortrait?: OnPortrait): Promise<Heard> {
  return new Promise((resolve) => {
    const listener = (heard: unknown) => {
      const message = heard as HostMessage;
      if (message.kind === 'portrait') return onPortrait?.(message.portrait);
      child.off('message', listener);
      return resolve(message);
    };
    child.on('message', listener);
    void ended.then((reason) => {
      child.off('message', listener);
      resolve({ kind: 'crashed', reason });
    });
  });
}

async function runIn(
  child: ChildProcess,
  ended: Promise<string>,
  request: { readonly kind: string },
  limits: ProcessLimits,
  onPortrait?: OnPortrait,
): Promise<RequestResult> {
  const reply = nextMessage(child, ended, onPortrait);
  const used = usageOf(child.pid ?? 0);
  // A process that died a moment ago cannot be written to; its end is the reply.
  child.send(request, () => undefined);
  const guard = guardMemory(child, limits.memoryMb);
  const heard = await withinProcessorTime(limits.requestMs, used, reply);
  guard.stop();
  if (heard === 'late') {
    child.kill('SIGKILL');
    await ended;
    return { kind: 'timeout' };
  }
  if (heard.kind === 'answer' || heard.kind === 'fault') return heard;
  return { kind: 'crashed', reason: guard.tripped() ? 'too much memory' : reasonOf(heard) };
}

/** So many times its limit a request may take by the clock. */
const STARVED = 4;

/** Waits as long as the process has processor time left. */
async function withinProcessorTime<Value>(
  limitMs: number,
  used: () => number,
  value: Promise<Value>,
): Promise<Value | 'late'> {
  const deadline = performance.now() + STARVED * limitMs;
  for (let leftMs = limitMs; ; ) {
    const first = await within(leftMs, value);
    if (first !== 'late') return first;
    const clockMs = deadline - performance.now();
    leftMs = Math.min(limitMs - used(), clockMs);
    if (leftMs <= 0) return 'late';
    // Ticks of the processor's clock are 10 ms long.
    leftMs = Math.max(leftMs, 10);
  }
}

async function within<Value>(milliseconds: number, value: Promise<Value>): Promise<Value | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), milliseconds);
  });
  const first = await Promise.race([value, late]);
  clearTimeout(timer);
  return first;
}

/**
 * Ends the process when it holds too much memory, as Linux counts it; elsewhere nothing is known
 * and nothing is done.
 */
function guardMemory(child: ChildProcess, memoryMb: number): { stop: () => void; tripped: () => boolean } {
  let tripped = false;
  const look = async (): Promise<void> => {
    const megabytes = await residentMb(child.pid ?? 0);
    if (megabytes <= memoryMb) return;
    tripped = true;
    child.kill('SIGKILL');
  };
  const timer = setInterval(() => void look(), 200);
  return { stop: () => clearInterval(timer), tripped: () => tripped };
}

const MS_PER_TICK = 10;

const readNow = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/**
 * Milliseconds of processor time a process has used up to now; undefined where that is not known.
 * Read at once, with each request: the kernel has it in memory, and waiting for it costs more.
 */
function processorMs(pid: number): number | undefined {
  const text = readNow(`/proc/${pid}/stat`);
  // Behind the name, which may hold anything, user and system time are the 12th and 13th field.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return user === undefined || system === undefined ? undefined : (user + system) * MS_PER_TICK;
}

/**
 * What a process uses from now on: processor time, or time of the clock where that is not known.
 */
const usageOf = (pid: number): (() => number) => {
  const startedAt = performance.now();
  const first = processorMs(pid);
  return () => {
    const now = processorMs(pid);
    return first === undefined || now === undefined ? performance.now() - startedAt : now - first;
  };
};

/** Resident megabytes of a process; 0 where that is not known. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
