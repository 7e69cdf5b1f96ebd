import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { AssayRefusal } from '../api/refusal.ts';
import { UnusableInput } from '../proof/report.ts';
import { oneLine } from '../unseen.ts';

const refusing =
  (path: string, what: string) =>
  (error: NodeJS.ErrnoException): never => {
    // What was to be written could not be had: that is no fault of the file.
    if (error instanceof UnusableInput || error instanceof AssayRefusal) throw error;
    throw new UnusableInput(`${path} cannot be ${what}: ${error.code ?? 'error'}`);
  };

/** The mark that programs on Windows put before a text; JSON must not have it. */
const BYTE_ORDER_MARK = /^\ufeff/;

/** A text file that the user named. */
export const readText = async (path: string): Promise<string> =>
  (await readFile(path, 'utf8').catch(refusing(path, 'read'))).replace(BYTE_ORDER_MARK, '');

/** The same at once, for what is read where nothing can wait. */
export const readTextNow = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').replace(BYTE_ORDER_MARK, '');
  } catch (error) {
    return refusing(path, 'read')(error as NodeJS.ErrnoException);
  }
};

/** A file that the user named, as it is. */
export const readBytes = (path: string): Promise<Buffer> => readFile(path).catch(refusing(path, 'read'));

/** A JSON file that the user named. */
export const readJson = async <T>(path: string): Promise<T> => parseJson(await readText(path), path);

/** Why a text is no JSON, without the text, which may be anything and have many lines. */
const whyNoJson = ({ message }: Error): string => oneLine(message.split(', "')[0] ?? '');

/** JSON that the user gave; `what` names it where it is none. */
export const parseJson = <T>(text: string, what: string): T => {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new UnusableInput(`${what} is not JSON: ${whyNoJson(error as Error)}`);
  }
};

/** A text, or its pieces one after another. */
type Content = string | AsyncIterable<string>;

/**
 * Writes a file for the user alone: what these commands write tells of people or of keys. A file of
 * that name stays as it was until all of the new one is written.
 */
export const writePrivate = (path: string, content: Content): Promise<void> =>
  writeOwn(path, content).catch(refusing(path, 'written'));

const OWN = 0o600;

/** What the path leads to; nothing there yet is a file too. */
const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return true;
      throw error;
    },
  );

/** A name leads to its file over links, which stay links. */
const behindLinks = (path: string): Promise<string> => realpath(path).catch(() => path);

/** What a user presses or a terminal sends to end a command. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes a file if the command is told to end, which it then does. The result ends that. */
const removeWhenBrokenOff = (path: string): (() => void) => {
  const isOver = (): void => {
    for (const signal of ENDING) process.off(signal, breakOff);
  };
  const breakOff = (signal: NodeJS.Signals): void => {
    isOver();
    rmSync(path, { force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING) process.on(signal, breakOff);
  return isOver;
};

const writeOwn = async (path: string, content: Content): Promise<void> => {
  // A terminal or a pipe is written to as it is.
  if (!(await isFile(path))) return writeFile(path, content);
  const place = await behindLinks(path);
  const beside = `${place}.${randomUUID()}.part`;
  const isOver = removeWhenBrokenOff(beside);
  const write = async (): Promise<void> => {
    await writeFile(beside, content, { flag: 'wx', mode: OWN, flush: true });
    await rename(beside, place);
  };
  await write()
    .catch(async (error: unknown) => {
      await rm(beside, { force: true });
      throw error;
    })
    .finally(isOver);
};
