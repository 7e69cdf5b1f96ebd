import { createHash } from 'node:crypto';
import type { Address } from './engine.ts';
import type { RunDir } from './run-dir.ts';

/**
 * The prefix of the names of a suite's databases and queues: on servers that are not ours
 * alone, names of the run directory's own keep suites apart.
 */
export const namesApart = (
  { dir }: Pick<RunDir, 'dir'>,
  { mongodb, rabbitmq }: { readonly mongodb: Address; readonly rabbitmq: Address },
): { databases: string; queues: string } => {
  const id = createHash('sha256').update(dir).digest('hex').slice(0, 8);
  return {
    databases: mongodb.kind === 'external' ? `assay_${id}_` : 'assay_',
    queues: rabbitmq.kind === 'external' ? `${id}.` : '',
  };
};
