import path from 'node:path';
import { present } from '@assay/contracts';
import { openProcessPool, type PoolOptions, type ProcessPool } from '../process-pool.ts';
import type { EngineRequest } from '../protocol.ts';
import type { MisbehaveRequest } from './misbehave.ts';

export type MisbehavingPool = ProcessPool & {
  misbehave(how: MisbehaveRequest['how'], unlessExists?: string): Promise<{ pid: number }>;
};

/**
 * A pool of processes that misbehave on request. The pool passes a request on as it is, of whatever
 * kind.
 */
export const openMisbehavingPool = async (options: Omit<PoolOptions, 'program'>): Promise<MisbehavingPool> => {
  const program = path.join(import.meta.dirname, 'misbehaving-host.ts');
  const pool = await openProcessPool({ ...options, program });
  const run = pool.run as (request: EngineRequest | MisbehaveRequest) => Promise<unknown>;
  return {
    ...pool,
    misbehave: (how, unlessExists) =>
      run({ kind: 'misbehave', how, ...present({ unlessExists }) }) as Promise<{ pid: number }>,
  };
};
