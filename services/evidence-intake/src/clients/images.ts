import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { ChipKey } from '@assay/chip';
import { confined } from '@assay/engine/confined';
import { unavailable } from '@assay/http';
import { counter } from '@assay/runtime';
import { fileTypeFromBuffer } from 'file-type';
import type { ImageHeader } from '../domain/image-rules.ts';

/** The requests to the process that decodes uploads. */
export interface ImageJob {
  kind: 'header' | 'frame' | 'chip-key';
  bytes: Uint8Array;
}

/** Decodes uploaded images, and the key of a chip, in processes that hold no secret. */
export interface Images {
  /**
   * Width and height from the header of an image, without decoding it; undefined if the bytes have
   * no such header. 503 if it takes too long.
   */
  header(bytes: Uint8Array): Promise<ImageHeader | undefined>;
  /** Sharpness of a frame at one common size; -1 when it does not decode, or not in time. */
  sharpness(bytes: Uint8Array): Promise<number>;
  /**
   * The key that a chip offers in its data group 14, or why there is none. 503 when it takes too
   * long.
   */
  chipKey(dataGroup14: Uint8Array): Promise<ChipKey | { refused: string }>;
  close(): Promise<void>;
}

export interface ImagesOptions {
  /** Longest time one image may take, in milliseconds. */
  timeoutMs?: number;
  /** Another program for the processes, tests only. */
  program?: string;
}

const TIMEOUT_MS = 10_000;

const ended = counter('assay_image_processes_ended_total', 'Processes that read images and were ended or died', [
  'reason',
]);

/**
 * The content type by the first bytes; undefined if no signature matches. The declared type is
 * ignored.
 */
export const sniffType = async (head: Buffer): Promise<string | undefined> => (await fileTypeFromBuffer(head))?.mime;

const isSource = import.meta.filename.endsWith('.ts');
/** The bundle, for tests of the sources too. */
const hostFile = (): string => join(import.meta.dirname, isSource ? '../../dist' : '', 'image-host.js');

const startProcess = (program: string): ChildProcess => {
  // No environment and no network: a process that decodes uploads knows no secret of the service,
  // and cannot send anything.
  const child = fork(program, [], {
    ...confined([]),
    serialization: 'advanced',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // It ends with this process, and does not keep this process from ending.
  child.unref();
  child.channel?.unref();
  return child;
};

type Outcome = { kind: 'answer'; value: unknown } | { kind: 'died' } | { kind: 'late' };

const ask = (child: ChildProcess, job: ImageJob, timeoutMs: number): Promise<Outcome> =>
  new Promise((resolve) => {
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      child.off('message', answered);
      child.off('exit', died);
      resolve(outcome);
    };
    const answered = (message: unknown): void =>
      settle({ kind: 'answer', value: (message as { value?: unknown }).value });
    const died = (): void => settle({ kind: 'died' });
    const timer = setTimeout(() => settle({ kind: 'late' }), timeoutMs);
    child.once('message', answered);
    child.once('exit', died);
    // A process that has just died cannot be written to; its end is the reply.
    child.send(job, () => undefined);
  });

/** One process, started at the first request, which handles one image at a time, in order. */
const createImageProcess = ({ timeoutMs = TIMEOUT_MS, program = hostFile() }: ImagesOptions) => {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const once = async (job: ImageJob): Promise<Outcome> => {
    child ??= startProcess(program).once('error', () => undefined);
    const outcome = await ask(child, job, timeoutMs);
    if (outcome.kind !== 'answer') {
      ended.inc({ reason: outcome.kind });
      child.kill('SIGKILL');
      child = undefined;
    }
    return outcome;
  };
  /** The process may have been ended from outside: one more attempt in a new one. */
  const work = async (job: ImageJob): Promise<Outcome> => {
    const first = await once(job);
    return first.kind === 'died' ? once(job) : first;
  };
  return {
    run: (job: ImageJob): Promise<Outcome> => {
      const mine = last.then(() => work(job));
      last = mine;
      return mine;
    },
    close: () => void child?.kill('SIGKILL'),
  };
};

/**
 * Two processes, so that headers, which an upload waits for, are not queued after frames, which
 * take a hundred times as long.
 */
export const createImages = (options: ImagesOptions = {}): Images => {
  const headers = createImageProcess(options);
  const frames = createImageProcess(options);
  return {
    header: async (bytes) => {
      const outcome = await headers.run({ kind: 'header', bytes });
      if (outcome.kind === 'late') throw unavailable();
      return outcome.kind === 'answer' ? (outcome.value as ImageHeader | undefined) : undefined;
    },
    sharpness: async (bytes) => {
      const outcome = await frames.run({ kind: 'frame', bytes });
      return outcome.kind === 'answer' && typeof outcome.value === 'number' ? outcome.value : -1;
    },
    chipKey: async (bytes) => {
      const outcome = await headers.run({ kind: 'chip-key', bytes });
      if (outcome.kind === 'late') throw unavailable();
      const read = outcome.kind === 'answer' ? (outcome.value as ChipKey | { refused: string } | undefined) : undefined;
      return read ?? { refused: 'the file cannot be read' };
    },
    close: async () => {
      headers.close();
      frames.close();
    },
  };
};
