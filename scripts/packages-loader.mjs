/**
 * Beside a program in its `dist` folder, as `NAME.packages.js`: gives the program the packages of
 * others, which `scripts/packages.mjs` has put into the one file that `PACKAGES` names. That file
 * runs with what V8 compiled of it during the build. V8 refuses what another version or other
 * flags compiled, and compiles anew.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, Script } from 'node:vm';

const folder = dirname(fileURLToPath(import.meta.url));
export const file = join(folder, 'PACKAGES');

const readCompiled = () => {
  try {
    return readFileSync(`${file}.compiled`);
  } catch {
    return undefined;
  }
};

// ASCII, so Latin-1 reads the same, and V8 keeps one byte for each character.
const script = new Script(readFileSync(file, 'latin1'), {
  filename: file,
  cachedData: readCompiled(),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const require = createRequire(import.meta.url);
/** @type {{ exports: { default: Record<string, unknown> } }} */
const bundled = { exports: { default: {} } };
script.runInThisContext()(bundled, require, file, folder);

// Tracing changes these when they are loaded from their own files.
const traced = process.env.OTEL_EXPORTER_OTLP_ENDPOINT ? ['express', 'mongoose'] : [];

/** What `import * as` gives of a package, by the name that the program imports. */
export const packageOf = (/** @type {string} */ name) =>
  traced.includes(name) ? { default: require(name) } : bundled.exports.default[name];

/** Whether V8 took what was compiled during the build. */
export const isCompiled = () => script.cachedDataRejected === false;

/** What V8 has compiled of the packages so far. */
export const compiled = () => script.createCachedData();
