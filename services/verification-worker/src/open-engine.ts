import type { Log } from '@assay/runtime';
import { createHttpEngine } from './clients/http-engine.ts';
import type { Config } from './config.ts';
import type { Engine } from './engine/engine.ts';
import { openEnginePool } from './engine/pool.ts';

/** The engine this worker looks with: its own, in child processes, or the one it is pointed to. */
export const openEngine = async (config: Config, log: Log): Promise<Engine> => {
  const { ENGINE_URL: url, ENGINE_TOKEN: token, ENGINE_PROCESSES: size } = config;
  const reader = { name: config.ENGINE_NAME, version: config.ENGINE_VERSION };
  if (url) return createHttpEngine({ url, reader, capacity: size, ...(token ? { token } : {}) });
  return openEnginePool({ size, onCrash: (reason) => log.warn({ msg: 'engine.process-ended', reason }) });
};
