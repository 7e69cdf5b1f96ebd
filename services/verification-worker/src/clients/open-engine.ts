import { type Engine, openEnginePool } from '@assay/engine';
import type { Log } from '@assay/runtime';
import type { Config } from '../config.ts';
import { createHttpEngine } from './http-engine.ts';

/**
 * A process takes a good second of a core to load its models: the first one is there when the
 * worker is ready, the others when the rest of a machine has started, or is busy.
 */
const OTHERS_AFTER_MS = 5000;

/**
 * The engine of this worker: its own, in child processes, or the one behind HTTP that is
 * configured.
 */
export const openEngine = async (config: Config, log: Log): Promise<Engine> => {
  const { ENGINE_URL: url, ENGINE_TOKEN: token, ENGINE_PROCESSES: size } = config;
  const reader = { name: config.ENGINE_NAME, version: config.ENGINE_VERSION };
  if (url) return createHttpEngine({ url, reader, capacity: size, ...(token ? { token } : {}) });
  return openEnginePool({
    size,
    othersAfterMs: OTHERS_AFTER_MS,
    onCrash: (reason) => log.warn({ msg: 'engine.process-ended', reason }),
  });
};
