import path from 'node:path';

const inSources = path.basename(import.meta.dirname) === 'src';

/**
 * This package's folder, found from `src/` and from every bundle (`libs/NAME/dist/`,
 * `services/NAME/dist/`) alike.
 */
const packageFolder = path.resolve(import.meta.dirname, inSources ? '..' : '../../../libs/engine');

/** Where the nets and the alphabet are. */
export const modelsFolder = (): string => path.join(packageFolder, 'models');

/**
 * The program of an engine process: TypeScript for whoever runs from the sources, else the bundle
 * that scripts/build.mjs makes.
 */
export const hostFile = (): string => path.join(packageFolder, inSources ? 'src/host.ts' : 'dist/engine-host.js');
