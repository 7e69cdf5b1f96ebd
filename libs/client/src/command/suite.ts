import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { present } from '@assay/contracts';
import { UnusableInput } from '../proof/report.ts';
import { parseJson, readTextNow } from './files.ts';

/** Where a suite is, and the keys to it that are known. */
export interface Suite {
  url: string;
  apiPrefix: string;
  key?: string;
  adminKey?: string;
  /** The tenant of a suite that runs here. */
  tenantId?: string;
}

export interface SuiteOptions {
  url?: string;
  key?: string;
  prefix?: string;
}

const DEFAULT_PREFIX = 'svc';
const NAME_A_SUITE = 'give --url and --key, set ASSAY_URL and ASSAY_KEY, or start one with `npm run up`';

interface StackFile {
  baseUrl: string;
  apiPrefix: string;
  tenantId?: string;
  keys: { relyingService: string; admin: string };
}

/** What `npm run up` wrote: it may be another user's, or another program's file of that name. */
const stackIn = (file: string): StackFile => {
  const stack = parseJson<Partial<StackFile> | null>(readTextNow(file), file);
  if (!stack?.baseUrl || !stack.apiPrefix || !stack.keys?.relyingService || !stack.keys.admin)
    throw new UnusableInput(`${file} is not what npm run up writes: ${NAME_A_SUITE}`);
  return stack as StackFile;
};

/** The nearest `.run/stack.json` at or above a folder: what `npm run up` wrote. */
const nearestStack = (folder: string): string | undefined => {
  const file = join(folder, '.run', 'stack.json');
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestStack(parent);
};

/** Whether a text is an address of the web. */
export const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/**
 * Finds the suite: `--url` and `--key`, then `ASSAY_URL` and `ASSAY_KEY`, then `.run/stack.json`.
 * @throws UnusableInput when there is none; `hint` says what to do then
 */
export const findSuite = (options: SuiteOptions, hint: string = NAME_A_SUITE): Suite => {
  const { env } = process;
  const url = options.url ?? env.ASSAY_URL;
  const key = options.key ?? env.ASSAY_KEY;
  if (url && !isAddress(url))
    throw new UnusableInput(`--url takes an address such as https://assay.example, not '${url}' (--url or ASSAY_URL)`);
  if (url)
    return {
      url: url.replace(/\/$/, ''),
      apiPrefix: options.prefix ?? env.ASSAY_PREFIX ?? DEFAULT_PREFIX,
      ...(key ? { key, adminKey: key } : {}),
    };
  const file = nearestStack(process.cwd());
  if (!file) throw new UnusableInput(`no suite: ${hint}`);
  const stack = stackIn(file);
  return {
    url: stack.baseUrl,
    ...present({ tenantId: stack.tenantId }),
    apiPrefix: options.prefix ?? env.ASSAY_PREFIX ?? stack.apiPrefix,
    key: key ?? stack.keys.relyingService,
    adminKey: key ?? stack.keys.admin,
  };
};
