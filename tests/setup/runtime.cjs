/**
 * Jest's runtime without a module system of its own. Node loads a test file and its imports, so a
 * worker reads mongoose, express and the libs once, not once for each test file. Jest's own module
 * system would give each file fresh modules, which took a third of the processor time of all tests.
 * Files share globals; tests/setup/environment.mjs restores the environment variables after each.
 */
const { mkdtempSync, readFileSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { transformSync } = require('@swc/core');
const { swcOptions } = require('./typescript.cjs');

/** @type {string | undefined} */
let folder;

/** The files of source maps by source. Each is written when a printed stack needs it. */
class SourceMaps extends Map {
  get(/** @type {string} */ source) {
    const written = super.get(source);
    if (written || !source.endsWith('.ts')) return written;
    folder ??= mkdtempSync(join(tmpdir(), 'assay-source-maps-'));
    const path = source.startsWith('file:') ? fileURLToPath(source) : source;
    const { map } = transformSync(readFileSync(path, 'utf8'), { ...swcOptions(path), sourceMaps: true });
    const file = join(folder, `${this.size}.map`);
    writeFileSync(file, map ?? '');
    this.set(source, file);
    return file;
  }
}
const sourceMaps = new SourceMaps();

const nothing = () => undefined;

/** For `jest-globals.mjs`, which is loaded with the first test file. */
const shared = { globals: {}, bind: nothing };
globalThis[Symbol.for('assay.jestGlobals')] = shared;

exports.__esModule = true;

/** The interface that Jest expects of a runtime. Jest calls it as a class. */
exports.default = function Runtime(_config, environment) {
  const { moduleMocker } = environment;
  const jest = { fn: moduleMocker.fn.bind(moduleMocker), spyOn: moduleMocker.spyOn.bind(moduleMocker) };
  return {
    // The module's list of tests is empty only when it is newly loaded.
    requireInternalModule: (/** @type {string} */ path) => {
      delete require.cache[path];
      return require(path);
    },
    requireModule: (/** @type {string} */ path) => require(path),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (/** @type {string} */ path) => import(pathToFileURL(path).href),
    setGlobalsForRuntime: (/** @type {object} */ globals) => {
      shared.globals = { ...globals, jest };
      shared.bind(shared.globals);
    },
    getSourceMaps: () => sourceMaps,
    getAllCoverageInfoCopy: nothing,
    enterTestCode: nothing,
    leaveTestCode: nothing,
    teardown: nothing,
  };
};
