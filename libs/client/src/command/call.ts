import { present } from '@assay/contracts';
import axios, { type Method } from 'axios';
import { missingIn } from '../api/answer.ts';
import { refusalOf } from '../api/refusal.ts';
import { UnusableInput } from '../proof/report.ts';
import { START_ONE } from './next-step.ts';
import type { Suite } from './suite.ts';

/** What an answer has: these members, or no body at all, as of what was deleted. */
export type Members<T> = readonly (keyof T & string)[] | 'no body';

/**
 * One call of the suite's administration, with its key. `members`: what its answer has.
 * @throws AssayRefusal when it is refused, UnusableInput when there is no key, or no such answer
 */
export const callSuite = async <T>(
  { url, adminKey }: Suite,
  method: Method,
  path: string,
  body?: unknown,
  members: Members<T> = [],
): Promise<T> => {
  if (!adminKey) throw new UnusableInput('no key: give --key or set ASSAY_KEY');
  const answer = await axios
    .request<T>({
      method,
      url: `${url}${path}`,
      headers: { apikey: adminKey },
      ...present({ data: body }),
      proxy: false,
      maxRedirects: 0,
      timeout: 30_000,
      validateStatus: () => true,
    })
    .catch((error: { code?: string }) => {
      throw new UnusableInput(`${url} does not answer: ${error.code ?? 'error'}\n${START_ONE}`);
    });
  if (answer.status >= 400) throw refusalOf(answer);
  const other = whyOther(answer, path, members);
  if (other !== undefined) throw new UnusableInput(`${noSuite(url)}: ${other}\n${START_ONE}`);
  return answer.data;
};

/** What shows that an answer is of no suite. What was deleted answers without a body. */
const whyOther = <T>(
  { status, data }: { status: number; data: unknown },
  path: string,
  members: Members<T>,
): string | undefined => {
  const isEmpty = String(data ?? '') === '';
  if (typeof data !== 'object' && !isEmpty) return `${status} without JSON`;
  if (members === 'no body') return isEmpty ? undefined : `${status} with JSON at ${path}`;
  const missing = missingIn(data, members);
  return missing === undefined ? undefined : `there is no ${missing} at ${path}`;
};

const noSuite = (url: string): string => `${url} does not answer like a suite`;

interface Page<T> {
  items: T[];
  cursor?: string;
}

/**
 * A list of an answer. `members`: what each of its items is read by.
 * @throws UnusableInput when it is no list, or an item lacks one of them
 */
export const listIn = <T>(
  { url }: Suite,
  path: string,
  items: unknown,
  members: readonly (keyof T & string)[] = [],
): T[] => {
  if (!Array.isArray(items)) throw new UnusableInput(`${noSuite(url)}: there is no list at ${path}\n${START_ONE}`);
  for (const item of items) {
    const missing = missingIn(item, members);
    if (missing !== undefined)
      throw new UnusableInput(`${noSuite(url)}: an item of the list at ${path} has no ${missing}\n${START_ONE}`);
  }
  return items;
};

/** The pages of a list, each asked for when the one before was taken. */
export async function* callPages<T>(
  suite: Suite,
  path: string,
  members?: readonly (keyof T & string)[],
): AsyncGenerator<T[]> {
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    const page: Partial<Page<T>> | null = await callSuite(suite, 'GET', `${path}${query}`);
    yield listIn(suite, path, page?.items, members);
    cursor = page?.cursor;
  } while (cursor !== undefined);
}

/** Every item of a list that comes in pages. */
export const callAll = async <T>(suite: Suite, path: string, members?: readonly (keyof T & string)[]): Promise<T[]> => {
  const items: T[] = [];
  for await (const page of callPages<T>(suite, path, members)) items.push(...page);
  return items;
};
