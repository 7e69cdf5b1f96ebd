import { createRecent } from '@assay/runtime';
import type { AuditLog } from './audit.ts';
import { type Caller, tenantOf } from './caller.ts';

/**
 * For so long further reads of the same by the same key are in the line of the first one. A client
 * that polls costs one line in ten minutes.
 */
const READS_IN_ONE_LINE_MS = 600_000;
/** Beyond it the oldest is forgotten, which costs a line more. */
const MOST_REMEMBERED = 100_000;

export type ReadLog = ReturnType<typeof createReadLog>;

/**
 * Lines of the audit log for what relying services read of a person. The line is there before the
 * reply leaves: nothing is read without one.
 */
export const createReadLog = ({ auditLog }: { auditLog: Pick<AuditLog, 'record'> }) => {
  const recent = createRecent<Promise<unknown>>({ most: MOST_REMEMBERED, forMs: READS_IN_ONE_LINE_MS });
  return {
    /** `route`: what is read; `subject`: ids of whom and what. */
    before: async (caller: Caller, route: string, subject: Readonly<Record<string, string>>): Promise<void> => {
      if (caller.role !== 'RELYING_SERVICE') return;
      const name = JSON.stringify([caller.keyId, route, subject]);
      const known = recent.get(name);
      if (known) return void (await known);
      const details = { route, withinSeconds: READS_IN_ONE_LINE_MS / 1000 };
      const recorded = auditLog.record(tenantOf(caller).tenantId, caller, 'identity.read', subject, details);
      recent.set(name, recorded);
      // A line that could not be written counts for no later read.
      await recorded.catch((error: unknown) => {
        recent.delete(name);
        throw error;
      });
    },
  };
};
