import { withoutSteering } from '../unseen.ts';

/** A line on standard output; nothing in it steers the terminal. */
export const print = (text: string): void => void process.stdout.write(`${withoutSteering(text)}\n`);

/** The same on standard error. */
export const printAside = (text: string): void => void process.stderr.write(`${withoutSteering(text)}\n`);

/**
 * Whoever reads the output may leave before its end, as `head` does: the command goes on, and its
 * exit code says what it found.
 */
export const letReadersLeave = (): void => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
};

/** A value as JSON. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));
