/** How Node loads modules in a worker of the tests: TypeScript without its types. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { swcOptions } from './typescript.cjs';

const { href: jestGlobals } = new URL('./jest-globals.mjs', import.meta.url);

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) =>
  specifier === '@jest/globals' ? { url: jestGlobals, shortCircuit: true } : next(specifier, context);

/** @type {import('node:module').LoadHook} */
export const load = async (url, context, next) => {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), swcOptions(filename));
  return { format: 'module', source: code, shortCircuit: true };
};
