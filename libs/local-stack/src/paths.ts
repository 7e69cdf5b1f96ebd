import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * This package's folder, from `src/` as well as from a bundle in `dist/` (both are one level below
 * it).
 */
const packageDir = dirname(dirname(fileURLToPath(import.meta.url)));

/** The repository's root. */
export const rootDir = join(packageDir, '..', '..');

/** The host program of the embedded MongoDB. */
export const mongoHost = join(packageDir, 'host', 'mongo-host.mjs');

/** The program that is loaded before a service when its work is traced. */
export const tracingProgram = join(rootDir, 'libs/runtime/dist/tracing.js');

/** Name, in its data directory, of what leads to the embedded MongoDB's socket. */
export const mongoSocket = 'engine.sock';
