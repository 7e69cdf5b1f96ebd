import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { ChipKey } from '@assay/chip';
import { withoutNetwork } from '@assay/engine/without-network';
import { unavailable } from '@assay/http';
import { counter } from '@assay/runtime';
import { fileTypeFromBuffer } from 'file-type';
import type { ImageHeader } from '../domain/image-rules.ts';

/** What the process that reads strangers' files is asked. */
export interface ImageJob {
  kind: 'header' | 'frame' | 'chip-key';
  bytes: Uint8Array;
}

/** Reads strangers' images, and the key of a chip, in processes that hold no secret. */
export interface Images {
  /**
   * Width and height from an image's header, without decoding it; undefined when there is no such
   * header in the bytes. 503 when it takes too long.
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
 * What the first bytes say the file is; undefined for what no signature is known of. The declared
 * type is never asked.
 */
export const sniffType = async (head: Buffer): Promise<string | undefined> => (await fileTypeFromBuffer(head))?.mime;

const isSource = import.meta.filename.endsWith('.ts');
/** The bundle, for tests of the sources too. */
const hostFile = (): string => join(import.meta.dirname, isSource ? '../../dist' : '', 'image-host.js');

const startProcess = (program: string): ChildProcess => {
  // No environment and no network: a process that decodes strangers' images knows no secret of the
  // service, and has nobody to tell.
  const child = fork(program, [], {
    ...withoutNetwork([]),
    serialization: 'advanced',
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // It ends with us, and keeps nobody from ending.
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
    // A process that died a moment ago cannot be written to; its end is the reply.
    child.send(job, () => undefined);
  });

/** One process, started when it is needed first, for one image at a time in the order asked. */
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
  /** A process that died may have been ended from outside: one more attempt, in a fresh one. */
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
 * Two processes: headers, which an upload waits for, never stand behind frames, which take a
 * hundred times as long.
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
