import { oneLine } from '../unseen.ts';
import { UnusableInput } from './report.ts';
import type { ByteSource } from './source.ts';

const LARGEST_REPLY = 64 * 1024;

interface Problem {
  status: number;
  errors: unknown[];
}

/** What an error object says; a stranger's may be of any shape. */
const wordsOf = (error: unknown): string => {
  const { code, field, message } = (error ?? {}) as { code?: unknown; field?: unknown; message?: unknown };
  return [code, field, message].filter((word) => typeof word === 'string' || typeof word === 'number').join(' ');
};

const isProblem = (value: unknown): value is Problem => {
  const { status, errors } = (value ?? {}) as Partial<Record<keyof Problem, unknown>>;
  return typeof status === 'number' && Array.isArray(errors);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * `curl -o proof.bin` saves a refusal where the proof should be. That is not a bad proof but none
 * at all.
 * @throws UnusableInput that says what the service answered, when the input is one of its error
 * replies
 */
export const refuseErrorReply = async (source: ByteSource): Promise<void> => {
  if (source.size > LARGEST_REPLY) return;
  const text = (await source.read(0, source.size)).toString('utf8');
  const reply = text.trimStart().startsWith('{') ? parsed(text) : undefined;
  if (!isProblem(reply)) return;
  throw new UnusableInput(
    `this is no proof but an error reply of the service: ${oneLine([reply.status, ...reply.errors.map(wordsOf)].join(', '))}. Retrieve the proof again.`,
  );
};
