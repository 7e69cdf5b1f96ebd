import { present } from '@assay/contracts';
import axios, { type Method } from 'axios';
import { refusalOf } from '../api/refusal.ts';
import { UnusableInput } from '../proof/report.ts';
import { START_ONE } from './next-step.ts';
import type { Suite } from './suite.ts';

/**
 * One call of the suite's administration, with its key. `members`: those that its answer has.
 * @throws AssayRefusal when it is refused, UnusableInput when there is no key, or no such answer
 */
export const callSuite = async <T>(
  { url, adminKey }: Suite,
  method: Method,
  path: string,
  body?: unknown,
  members: readonly (keyof T & string)[] = [],
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
  // What was deleted answers without a body.
  if (typeof answer.data !== 'object' && String(answer.data ?? '') !== '')
    throw new UnusableInput(`${noSuite(url)}: ${answer.status} without JSON\n${START_ONE}`);
  const missing = members.find((name) => (answer.data as Partial<T> | null)?.[name] === undefined);
  if (missing !== undefined)
    throw new UnusableInput(`${noSuite(url)}: there is no ${missing} at ${path}\n${START_ONE}`);
  return answer.data;
};

const noSuite = (url: string): string => `${url} does not answer like a suite`;

interface Page<T> {
  items: T[];
  cursor?: string;
}

/** The pages of a list, each asked for when the one before was taken. */
export async function* callPages<T>(suite: Suite, path: string): AsyncGenerator<T[]> {
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    const page: Partial<Page<T>> | null = await callSuite(suite, 'GET', `${path}${query}`);
    if (!Array.isArray(page?.items))
      throw new UnusableInput(`${noSuite(suite.url)}: there is no list at ${path}\n${START_ONE}`);
    yield page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** Every item of a list that comes in pages. */
export const callAll = async <T>(suite: Suite, path: string): Promise<T[]> => {
  const items: T[] = [];
  for await (const page of callPages<T>(suite, path)) items.push(...page);
  return items;
};
