import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutated, randomOf } from './mutate.ts';

/** A reader of bytes from outside. */
export interface Target {
  name: string;
  /** Valid inputs, from which the mutations start. */
  seeds: readonly (Buffer | string)[];
  /** Reads an input. Throws if the reader broke a promise; to refuse an input is allowed. */
  read: (input: Buffer) => unknown;
}

/** An input that broke a promise. */
export interface Finding {
  target: string;
  input: Buffer;
  reason: string;
}

/**
 * The most processor time for one input. Elapsed time would depend on what else the machine does.
 */
const LONGEST_MS = 2000;

export const corpusFolder = (target: string): string => join(import.meta.dirname, 'corpus', target);

/** Inputs that once broke a promise, or nearly did. Every run reads them again. */
const corpusOf = (target: string): Buffer[] => {
  const folder = corpusFolder(target);
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name)));
};

const tried = async ({ name, read }: Target, input: Buffer): Promise<Finding | undefined> => {
  const started = process.cpuUsage();
  try {
    await read(input);
  } catch (error) {
    return { target: name, input, reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
  const { user, system } = process.cpuUsage(started);
  const took = (user + system) / 1000;
  return took > LONGEST_MS ? { target: name, input, reason: `took ${Math.round(took)} ms` } : undefined;
};

/**
 * Reads the corpus, then mutated inputs until the budget is spent. Ends with the first finding. The
 * same seed makes the same inputs.
 */
export const fuzz = async (
  target: Target,
  { seed, budgetMs }: { seed: number; budgetMs: number },
): Promise<{ inputs: number; finding?: Finding }> => {
  const known = [...corpusOf(target.name), ...target.seeds.map((text) => Buffer.from(text))];
  let inputs = 0;
  for (const input of known) {
    inputs += 1;
    const finding = await tried(target, input);
    if (finding) return { inputs, finding };
  }
  const random = randomOf(seed);
  const end = performance.now() + budgetMs;
  while (performance.now() < end) {
    inputs += 1;
    const finding = await tried(target, mutated(known[Math.floor(random() * known.length)]!, random));
    if (finding) return { inputs, finding };
  }
  return { inputs };
};
