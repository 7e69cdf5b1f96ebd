import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { malformed } from '../errors.ts';
import { WORKER_SOURCE } from './worker-source.ts';

/** A picture without compression, eight bits to the sample. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
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

const startWorker = (): Worker => {
  const codec = createRequire(import.meta.url).resolve('@cornerstonejs/codec-openjpeg/decodewasmjs');
  const worker = new Worker(WORKER_SOURCE, { eval: true, workerData: { codec }, stdout: true, stderr: true });
  worker.unref();
  // Without a listener an error would end the process; the thread exits after it, and that is what
  // is waited for.
  worker.on('error', () => undefined);
  return worker;
};

const ask = (worker: Worker, bytes: Uint8Array, timeoutMs: number): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const fail = () => finish(undefined);
    const finish = (answer: Answer | undefined) => {
      clearTimeout(timer);
      worker.off('message', finish).off('exit', fail);
      resolve(answer);
    };
    const timer = setTimeout(fail, timeoutMs);
    worker.on('message', finish).on('exit', fail);
    worker.postMessage(bytes);
  });

const rasterOf = ({ frame: { width, height, bitsPerSample, componentCount }, pixels }: Answer): Raster | undefined => {
  const whole = width > 0 && bitsPerSample <= 8 && pixels.length === width * height * componentCount;
  if (!whole || (componentCount !== 1 && componentCount !== 3 && componentCount !== 4)) return undefined;
  return { width, height, channels: componentCount, pixels };
};

/**
 * Decodes JPEG 2000 in a thread of its own, one picture after the other. After a failure the thread
 * is thrown away.
 */
export const createJpeg2000Decoder = (timeoutMs: number) => {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const discard = async () => {
    const thrown = worker;
    worker = undefined;
    await thrown?.terminate();
  };

  const decodeNow = async (bytes: Uint8Array): Promise<Raster> => {
    worker ??= startWorker();
    const answer = await ask(worker, bytes, timeoutMs);
    const raster = answer && rasterOf(answer);
    if (raster) return raster;
    await discard();
    throw malformed('the portrait does not decode');
  };

  return {
    decode: (bytes: Uint8Array): Promise<Raster> => {
      const next = last.then(() => decodeNow(bytes));
      last = next.catch(() => undefined);
      return next;
    },
    close: discard,
  };
};
