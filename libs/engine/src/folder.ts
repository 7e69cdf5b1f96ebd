import path from 'node:path';

const inSources = path.basename(import.meta.dirname) === 'src';

/**
 * This package's folder, found from `src/` and from every bundle (`libs/NAME/dist/`,
 * `services/NAME/dist/`).
 */
const packageFolder = path.resolve(import.meta.dirname, inSources ? '..' : '../../../libs/engine');

/** Where the nets and the alphabet are. */
export const modelsFolder = (): string => path.join(packageFolder, 'models');

/**
 * The program of an engine process: the bundle that scripts/build.mjs makes. Tests of the sources
 * start it too, since `npm test` builds first. Loaded file by file through tsx it takes 5 s of a
 * processor to start, and computes slower.
 */
export const hostFile = (): string => path.join(packageFolder, 'dist/engine-host.js');
