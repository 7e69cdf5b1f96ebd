import manifest from '../package.json' with { type: 'json' };
import type { Engine } from './engine.ts';
import { openProcessPool, type PoolOptions } from './process-pool.ts';

/**
 * The engine in child processes of this service, one for each core, with models loaded once. If a
 * native decoder crashes, its job is tried once more in a new process; no other job is affected.
 */
export async function openEnginePool(options: PoolOptions): Promise<Engine> {
  const pool = await openProcessPool(options);
  return {
    reader: { name: 'assay-reading', version: manifest.version },
    capacity: options.size,
    pending: pool.pending,
    document: (job, onPortrait) => pool.run({ kind: 'document', job }, onPortrait),
    portrait: (job) => pool.run({ kind: 'portrait', job }),
    compare: (a, b) => pool.run({ kind: 'compare', a, b }),
    close: () => pool.close(),
  };
}
