import path from 'node:path';

/** The service's `models` folder, found from `src/engine/` and from the bundle in `dist/` alike. */
export const modelsFolder = (): string =>
  path.basename(import.meta.dirname) === 'engine'
    ? path.join(import.meta.dirname, '../../models')
    : path.join(import.meta.dirname, '../models');
