import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** A test's call, as the reference shows it. */
export interface RecordedCall {
  method: string;
  /** Without the query. */
  path: string;
  /** The body as JSON; absent for forms. */
  request?: unknown;
  status: number;
  reply: unknown;
}

/** Stores a call for `npm run examples`, if EXAMPLES names a folder. */
export const recordCall = (call: RecordedCall): void => {
  const folder = process.env.EXAMPLES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(call)}\n`);
};
