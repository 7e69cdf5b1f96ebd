import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Restarting, Running } from './restarting.ts';
import type { Member } from './suite.ts';

/** A process that ends this often before it was ever ready will not get ready. */
const endsAllowed = 4;

/** Nine programs asked much more often would take the processor they need to get ready. */
const ASK_AGAIN_MS = 150;

const answersOk = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
};

/** The line that tells most: an error's first one, a fatal log line, else the last. */
const tellingLine = (text: string): string => {
  const lines = text.trimEnd().split('\n').reverse();
  const telling = lines.find((line) => /^\w*Error\b.*: /.test(line) || /"level":(60|"fatal")/.test(line));
  return (telling ?? lines[0] ?? '').slice(0, 400);
};

/** Why a program ended, from the end of its log file; empty when there is none. */
const lastWords = async (file: string): Promise<string> => {
  try {
    const handle = await open(file);
    const { size } = await handle.stat();
    const length = Math.min(size, 4_096);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    await handle.close();
    return tellingLine(buffer.toString('utf8'));
  } catch {
    return '';
  }
};

const healthUrl = ({ ports }: Member): string => `http://127.0.0.1:${ports.ADMIN_PORT}/health`;
const readyUrl = (member: Member): string => `${healthUrl(member)}/ready`;
export const liveUrl = (member: Member): string => `${healthUrl(member)}/live`;

export interface Starting {
  readonly member: Member;
  readonly running: Restarting<Running>;
  readonly logFile: string;
}

const waitForOne = async (
  { member, running, logFile }: Starting,
  deadline: number,
  signal: AbortSignal,
): Promise<void> => {
  while (!(await answersOk(readyUrl(member)))) {
    signal.throwIfAborted();
    const { count, last } = running.ends();
    if (count >= endsAllowed) {
      throw new Error(
        `${member.label} does not start: it ended ${last}, saying: ${await lastWords(logFile)} (${logFile})`,
      );
    }
    if (performance.now() > deadline) throw new Error(`${member.label} was not ready in time, see ${logFile}`);
    await pause(ASK_AGAIN_MS);
  }
};

/**
 * Waits until every member answers that it is ready.
 * @throws when one keeps ending, with the last line it wrote, is not ready in time, or when
 * `signal` fires
 */
export const waitUntilReady = async (
  starting: readonly Starting[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> => {
  const deadline = performance.now() + timeoutMs;
  await Promise.all(starting.map((one) => waitForOne(one, deadline, signal)));
};
