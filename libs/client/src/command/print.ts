import { withoutSteering } from '../unseen.ts';

/** A line on standard output; nothing in it steers the terminal. */
export const print = (text: string): void => void process.stdout.write(`${withoutSteering(text)}\n`);

/** The same on standard error. */
export const printAside = (text: string): void => void process.stderr.write(`${withoutSteering(text)}\n`);

/** A value as JSON. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));
