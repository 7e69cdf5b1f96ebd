import { createHash } from 'node:crypto';
import { type Random, randomOf } from '../../faults/random.ts';
import { createHeap } from './heap.ts';
import { inCallback, settle } from './real.ts';

/** One run of a service's program. Whatever it waits for ends with it. */
export interface Process {
  name: string;
  /** The number of this run of the program, from 1. */
  run: number;
  isAlive: boolean;
  /** How far its clock is off, in milliseconds. */
  skewMs: number;
  /** Called when it dies: its connections close. */
  onDeath: Set<() => void>;
}

interface Scheduled {
  cancel(): void;
}

/**
 * Executes all events one after the other, in the order of a virtual time. Between two events only
 * the code of one process runs.
 */
export interface World {
  /** Decides faults and delays. */
  random: Random;
  /** A source of its own for additional draws, which leaves the sequence of `random` unchanged. */
  apart: Random;
  /** What the processes draw: ids, keys, jitter. */
  entropy: Random;
  /** Milliseconds since 1970 on a correct clock. */
  now(): number;
  /** The process whose code runs now; undefined while the simulation's own code runs. */
  current(): Process | undefined;
  /** Schedules work in a process. The work is dropped if that process is dead by then. */
  after(ms: number, process: Process | undefined, label: string, work: () => void): Scheduled;
  /** Writes a line of the trace. */
  note(line: string): void;
  /** Runs until `isOver` returns true or no event is left. */
  runUntil(isOver: () => boolean): Promise<void>;
  start(name: string): Process;
  kill(process: Process): void;
  /** The number of events, and a digest of all of them: the same for the same seed. */
  trace(): { events: number; digest: string; lines: readonly string[] };
}

interface Happening {
  process: Process | undefined;
  label: string;
  work: (() => void) | undefined;
}

/** 6 January 2026, 9:00 UTC: no source has a maintenance window at that time. */
const BEGIN = Date.UTC(2026, 0, 6, 9);
const LINES_KEPT = 4000;
/** Characters of the trace that are hashed at a time. */
const HASHED = 16_384;

const nameOf = (process: Process | undefined): string => (process ? `${process.name}.${process.run}` : '-');

const createTrace = (isRecorded: boolean) => {
  const hash = createHash('sha256');
  const lines: string[] = [];
  let unhashed = '';
  return {
    add: (line: string): void => {
      unhashed += `${line}\n`;
      if (unhashed.length >= HASHED) {
        hash.update(unhashed);
        unhashed = '';
      }
      if (!isRecorded) return;
      if (lines.length >= LINES_KEPT * 2) lines.splice(0, LINES_KEPT);
      lines.push(line);
    },
    digest: (): string => hash.copy().update(unhashed).digest('hex').slice(0, 16),
    lines,
  };
};

export const createWorld = (seed: number, { recordsLines = false } = {}): World => {
  const heap = createHeap<Happening>();
  const trace = createTrace(recordsLines);
  const runs = new Map<string, number>();
  let time = BEGIN;
  let current: Process | undefined;
  let events = 0;

  let [shownTime, shown] = [BEGIN, '0.0000'];
  const note = (line: string): void => {
    if (time !== shownTime) [shownTime, shown] = [time, ((time - BEGIN) / 1000).toFixed(4)];
    trace.add(`${shown} ${line}`);
  };
  const step = ({ process, label, work }: Happening): void => {
    if (!work || process?.isAlive === false) return;
    events += 1;
    note(`${nameOf(process)} ${label}`);
    current = process;
    work();
    settle();
    current = undefined;
  };

  return {
    random: randomOf(seed),
    entropy: randomOf(seed ^ 0x9e3779b9),
    apart: randomOf(seed ^ 0x51ed270b),
    now: () => time,
    current: () => current,
    note,
    after: (ms, process, label, work) => {
      const happening: Happening = { process, label, work };
      heap.push(time + Math.max(0, ms), happening);
      return {
        cancel: () => {
          happening.work = undefined;
        },
      };
    },
    runUntil: (isOver) =>
      inCallback(() => {
        settle();
        while (!isOver()) {
          const next = heap.pop();
          if (!next) return;
          time = Math.max(time, next.at);
          step(next.value);
        }
      }),
    start: (name) => {
      const run = (runs.get(name) ?? 0) + 1;
      runs.set(name, run);
      return { name, run, isAlive: true, skewMs: 0, onDeath: new Set() };
    },
    kill: (process) => {
      if (!process.isAlive) return;
      note(`${nameOf(process)} dies`);
      process.isAlive = false;
      for (const end of process.onDeath) end();
      process.onDeath.clear();
    },
    trace: () => ({ events, digest: trace.digest(), lines: trace.lines }),
  };
};
