import { type AuditAct, formatDateTime, present } from '@assay/contracts';
import { type Clock, createApart, type Log } from '@assay/runtime';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import { type AuditContent, type AuditFault, faultOf, faultUnder } from '../domain/audit.ts';
import type { AuditStore } from '../store/audit.ts';
import type { Caller } from './caller.ts';

/** The chain of entries that belong to no tenant. */
export const SUITE_CHAIN = 'suite';

const PAGE = 500;

export interface Deps {
  audit: AuditStore;
  proofBuilder: Pick<ProofBuilder, 'sign'>;
  now: Clock;
  log: Log;
}

export interface Verification {
  entries: number;
  ok: boolean;
  fault?: { seq: number; fault: AuditFault };
}

/** The outcome for a chain without a fault: its signed head must not be missing at its end. */
const endOf = (entries: number, signed: number): Verification =>
  entries < signed ? { entries, ok: false, fault: { seq: entries + 1, fault: 'SEQUENCE' } } : { entries, ok: true };

type Actor = Pick<Caller, 'keyId' | 'role' | 'personId' | 'requestId'>;
type Subject = AuditContent['subject'];
type Details = AuditContent['details'];

interface SuiteAct {
  act: AuditAct;
  subject: Subject;
  details: Details;
  /** A mark. Where a line has this mark already, nothing is recorded. */
  once: string;
}

/** Records what callers do, and what the suite does by itself. */
const recorders = (audit: AuditStore) => {
  const record = (chain: string, caller: Actor, act: AuditAct, subject: Subject, details?: Details) => {
    const { keyId, role, personId, requestId } = caller;
    const actor = { keyId, role, ...present({ personId }) };
    return audit.append(chain, { act, actor, subject, requestId, ...present({ details }) });
  };
  return {
    record,

    recordOfSuite: (chain: string, { act, subject, details, once }: SuiteAct) => {
      const actor = { keyId: 'gateway', role: 'SUITE' as const };
      return audit.append(chain, { act, actor, subject, ...present({ details }) }, once);
    },

    /** Records an act, then carries it out. A refusal is recorded too. */
    around: async <T>(
      chain: string,
      caller: Actor,
      act: AuditAct,
      subject: Subject,
      work: () => Promise<T> | T,
    ): Promise<T> => {
      const { seq } = await record(chain, caller, act, subject);
      return Promise.resolve()
        .then(work)
        .catch(async (error: unknown) => {
          const status = (error as { status?: number } | null)?.status ?? 500;
          await record(chain, caller, 'act.refused', subject, { entry: seq, status });
          throw error;
        });
    },
  };
};

export type AuditLog = ReturnType<typeof createAuditLog>;

/**
 * The audit log. An act is recorded before it is carried out, so that nothing happens without a
 * line. An act that is then refused gets a second line, `act.refused`, that names the first.
 */
export const createAuditLog = ({ audit, proofBuilder, now, log }: Deps) => {
  const apart = createApart({ sweeper: 'audit checkpoints', log });
  const sign = async ({ chain, seq, hash }: { chain: string; seq: number; hash: string }): Promise<void> => {
    const at = formatDateTime(now());
    const { jws, kid } = await proofBuilder.sign({ kind: 'audit-checkpoint', content: { chain, seq, hash, at } });
    await audit.addCheckpoint({ chain, seq, hash, at, jws, kid });
    // The log is stored elsewhere than the database: it shows when the database was rewritten.
    log.info({ msg: 'audit.checkpoint', chain, seq, hash, jws });
  };

  return {
    ...recorders(audit),

    /**
     * Signs the head of every chain that grew since its last checkpoint. A chain that cannot be
     * signed stops no other.
     */
    checkpoint: async (): Promise<void> =>
      apart.each(
        await audit.heads(),
        ({ chain }) => chain,
        async (head) => {
          const last = await audit.lastCheckpoint(head.chain);
          if ((last?.seq ?? 0) < head.seq) await sign(head);
        },
      ),

    /** Walks a whole chain, up to the last head that was signed and beyond. */
    verify: async (chain: string): Promise<Verification> => {
      // Read first: a head that is signed meanwhile is among the entries that are read after it.
      const signed = await audit.lastCheckpoint(chain);
      let before: { seq: number; hash: string } | undefined;
      for (;;) {
        const page = await audit.list(chain, before?.seq ?? 0, PAGE);
        for (const entry of page) {
          const fault = faultOf(before, entry) ?? faultUnder(signed, entry);
          if (fault) return { entries: before?.seq ?? 0, ok: false, fault: { seq: entry.seq, fault } };
          before = entry;
        }
        if (page.length < PAGE) return endOf(before?.seq ?? 0, signed?.seq ?? 0);
      }
    },
  };
};
