import { formatDateTime } from '@assay/contracts';
import type { Clock, Log } from '@assay/runtime';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import { type AuditAct, type AuditContent, type AuditFault, faultOf } from '../domain/audit.ts';
import type { Call } from '../http/call.ts';
import type { AuditStore } from '../store/audit.ts';

/** The chain of what belongs to no tenant. */
export const SUITE_CHAIN = 'suite';

const PAGE = 500;

export interface AuditParts {
  audit: AuditStore;
  proofBuilder: Pick<ProofBuilder, 'sign'>;
  clock: Clock;
  log: Log;
}

export interface Verification {
  entries: number;
  ok: boolean;
  fault?: { seq: number; fault: AuditFault };
}

export type AuditLog = ReturnType<typeof createAuditLog>;

/**
 * The audit log. An act is recorded before it is done: nothing happens without a line; one that was then refused gets a second line, `act.refused`, that names the first.
 */
export const createAuditLog = ({ audit, proofBuilder, clock, log }: AuditParts) => {
  const actorOf = ({ key }: Call): AuditContent['actor'] => ({ keyId: key.keyId, role: key.role });

  const record = (
    chain: string,
    call: Call,
    act: AuditAct,
    subject: AuditContent['subject'],
    details?: AuditContent['details'],
  ) =>
    audit.append(chain, {
      act,
      actor: actorOf(call),
      subject,
      requestId: call.requestId,
      ...(details ? { details } : {}),
    });

  const sign = async ({ chain, seq, hash }: { chain: string; seq: number; hash: string }): Promise<void> => {
    const at = formatDateTime(clock());
    const { jws, kid } = await proofBuilder.sign({ kind: 'audit-checkpoint', content: { chain, seq, hash, at } });
    await audit.addCheckpoint({ chain, seq, hash, at, jws, kid });
    // The log is kept elsewhere than the database: whoever rewrites the one is told of by the other.
    log.info({ msg: 'audit.checkpoint', chain, seq, hash, jws });
  };

  return {
    record,

    /** What happens by itself. */
    recordOfSuite: (
      chain: string,
      act: AuditAct,
      subject: AuditContent['subject'],
      details?: AuditContent['details'],
    ) =>
      audit.append(chain, {
        act,
        actor: { keyId: 'gateway', role: 'SUITE' },
        subject,
        ...(details ? { details } : {}),
      }),

    /** Records an act, then does it; a refusal is recorded too. */
    around: async <T>(
      chain: string,
      call: Call,
      act: AuditAct,
      subject: AuditContent['subject'],
      work: () => Promise<T> | T,
    ): Promise<T> => {
      const { seq } = await record(chain, call, act, subject);
      return Promise.resolve()
        .then(work)
        .catch(async (error: unknown) => {
          const status = (error as { status?: number } | null)?.status ?? 500;
          await record(chain, call, 'act.refused', subject, { of: seq, status });
          throw error;
        });
    },

    /** Signs the head of every chain that grew since its last checkpoint. */
    checkpoint: async (): Promise<void> => {
      for (const head of await audit.heads()) {
        const last = await audit.lastCheckpoint(head.chain);
        if ((last?.seq ?? 0) < head.seq) await sign(head);
      }
    },

    /** Walks a whole chain. */
    verify: async (chain: string): Promise<Verification> => {
      let before: { seq: number; hash: string } | undefined;
      for (;;) {
        const page = await audit.list(chain, before?.seq ?? 0, PAGE);
        for (const entry of page) {
          const fault = faultOf(before, entry);
          if (fault) return { entries: before?.seq ?? 0, ok: false, fault: { seq: entry.seq, fault } };
          before = entry;
        }
        if (page.length < PAGE) return { entries: before?.seq ?? 0, ok: true };
      }
    },
  };
};
