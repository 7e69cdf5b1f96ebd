import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { malformed } from '../errors.ts';
import { withoutAlpha } from './alpha.ts';
import { WORKER_SOURCE } from './worker-source.ts';

/** A picture without compression, eight bits for each sample. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly pixels: Uint8Array;
}

interface Answer {
  readonly frame: {
    readonly width: number;
    readonly height: number;
    readonly bitsPerSample: number;
    readonly componentCount: number;
  };
  readonly pixels: Uint8Array;
}

/**
 * The thread had no memory for the picture, ended, or did not answer in time: the picture is not
 * the cause.
 */
const FAULTS = { shortage: 'found no memory', ended: 'ended', late: 'did not answer in time' } as const;
type Fault = keyof typeof FAULTS;

const ownCodec = (): string => createRequire(import.meta.url).resolve('@cornerstonejs/codec-openjpeg/decodewasmjs');

const startWorker = (codec: string): Worker => {
  const worker = new Worker(WORKER_SOURCE, { eval: true, workerData: { codec }, stdout: true, stderr: true });
  worker.unref();
  // Without a listener an error would end the process. The thread exits after an error, and we wait
  // for that.
  worker.on('error', () => undefined);
  return worker;
};

const ask = (worker: Worker, bytes: Uint8Array, timeoutMs: number): Promise<Answer | Fault> =>
  new Promise((resolve) => {
    const finish = (answer: Answer | Fault) => {
      clearTimeout(timer);
      worker.off('message', hear).off('exit', end);
      resolve(answer);
    };
    const hear = (answer: Answer | { shortage: true }) => finish('shortage' in answer ? 'shortage' : answer);
    const end = () => finish('ended');
    const timer = setTimeout(() => finish('late'), timeoutMs);
    worker.on('message', hear).on('exit', end);
    worker.postMessage(bytes);
  });

const rasterOf = ({ frame: { width, height, bitsPerSample, componentCount }, pixels }: Answer): Raster | undefined => {
  const whole = width > 0 && bitsPerSample <= 8 && pixels.length === width * height * componentCount;
  if (!whole || (componentCount !== 1 && componentCount !== 3)) return undefined;
  return { width, height, channels: componentCount, pixels };
};

/**
 * Decodes JPEG 2000 in a thread of its own, one picture after the other. After a failure it starts
 * a new thread. It leaves out an opacity beside the colours. Throws a ChipError if the picture is
 * the cause, any other error if the decoder is.
 */
export const createJpeg2000Decoder = (timeoutMs: number, codec = ownCodec()) => {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const discard = async () => {
    const thrown = worker;
    worker = undefined;
    await thrown?.terminate();
  };

  const decodeNow = async (bytes: Buffer): Promise<Raster> => {
    worker ??= startWorker(codec);
    const answer = await ask(worker, withoutAlpha(bytes), timeoutMs);
    const raster = typeof answer === 'string' ? undefined : rasterOf(answer);
    if (raster) return raster;
    await discard();
    if (typeof answer === 'string') throw new Error(`the decoder of JPEG 2000 ${FAULTS[answer]}`);
    throw malformed('the portrait does not decode');
  };

  return {
    decode: (bytes: Buffer): Promise<Raster> => {
      const next = last.then(() => decodeNow(bytes));
      last = next.catch(() => undefined);
      return next;
    },
    close: discard,
  };
};
