import { withoutSteering } from '../unseen.ts';

/** A line on standard output; nothing in it steers the terminal. */
export const print = (text: string): void => void process.stdout.write(`${withoutSteering(text)}\n`);

/** The same on standard error. */
export const printAside = (text: string): void => void process.stderr.write(`${withoutSteering(text)}\n`);

/**
 * Whoever reads the output may leave before its end, as `head` does: the command goes on, and its
 * exit code says what it found. What cannot be written for another reason, such as a full disk,
 * ends the command with `unusable`.
 */
export const letReadersLeave = (unusable: number): void => {
  const streams = { 'standard output': process.stdout, 'standard error': process.stderr };
  for (const [name, stream] of Object.entries(streams))
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      if (stream === process.stdout) printAside(`${name} cannot be written: ${error.code ?? 'error'}`);
      process.exit(unusable);
    });
};

/** A value as JSON. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));
