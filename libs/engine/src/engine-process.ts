import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { confined } from './confined.ts';
import type { OnPortrait } from './engine.ts';
import type { HostMessage } from './protocol.ts';

/** How an engine process ended a request. */
export type RequestResult =
  | { kind: 'answer'; answer: unknown; residentMb: number }
  | { kind: 'fault'; message: string; residentMb: number }
  | { kind: 'crashed'; reason: string }
  | { kind: 'timeout' };

export interface ProcessLimits {
  /**
   * Milliseconds of processor time for one request. On a busy machine it may take up to four times
   * as long by the clock.
   */
  requestMs: number;
  /** Milliseconds until the models must be loaded and warm. */
  startMs: number;
  /** Above this many resident megabytes the process is ended; that counts as a crash. */
  memoryMb: number;
}

/** One child process with its models loaded. It handles one request at a time. */
export interface EngineProcess {
  pid: number;
  run(request: { readonly kind: string }, onPortrait?: OnPortrait): Promise<RequestResult>;
  /** Resolves when the process has ended. */
  end(): Promise<void>;
  /** Called if it dies between requests. */
  onDeath(listener: () => void): void;
}

/**
 * Pictures make a small heap look full, so that V8 collects all of it. These limits leave room for
 * some pictures: a document takes a tenth less time.
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
 * Starts a process. Resolves once it is warm; rejects with the reason if it cannot become warm, or
 * if `stop` ends it before.
 */
export async function startEngineProcess(
  limits: ProcessLimits,
  stop: AbortSignal,
  program: string,
): Promise<EngineProcess> {
  const { file, execArgv } = programOf(program);
  // No environment and no network: a process that decodes images from strangers knows no secret of
  // the service and can send nothing anywhere.
  const child = fork(file, [], {
    ...confined(execArgv),
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

/** The next message except those about portraits, or the end of the process, whichever is first. */
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
  // A process that has just died cannot be written to; its end is the reply.
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

/** How many times its limit a request may take by the clock. */
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
 * Ends the process if it uses too much memory, which only Linux tells; on other systems it does
 * nothing.
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
 * The milliseconds of processor time that a process has used; undefined if unknown. It is read
 * synchronously: the kernel has it in memory, and waiting costs more.
 */
function processorMs(pid: number): number | undefined {
  const text = readNow(`/proc/${pid}/stat`);
  // After the name, which may contain anything, user and system time are fields 12 and 13.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return user === undefined || system === undefined ? undefined : (user + system) * MS_PER_TICK;
}

/** What a process uses from now on: processor time, or clock time if that is unknown. */
const usageOf = (pid: number): (() => number) => {
  const startedAt = performance.now();
  const first = processorMs(pid);
  return () => {
    const now = processorMs(pid);
    return first === undefined || now === undefined ? performance.now() - startedAt : now - first;
  };
};

/** Resident megabytes of a process; 0 if unknown. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
