import { formatDateTime } from '@assay/contracts';
import { ApiError, ok, type Reply } from '@assay/http';
import type { Clock } from '@assay/runtime';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import { withReceipt } from '../domain/transaction.ts';
import type { Identities } from '../store/identities.ts';
import type { Access } from './access.ts';
import type { Caller } from './caller.ts';
import { accepted } from './refusal.ts';

export interface Deps {
  identities: Identities;
  access: Access;
  proofBuilder: Pick<ProofBuilder, 'sign'>;
  now: Clock;
}

export type GetReceipt = (caller: Caller, identityId: string) => Promise<Reply>;

/**
 * The deletion receipt of a closed identity: signed, without personal data, available as long as
 * the tombstone is stored. It is signed when it is first asked for and stays the same from then on.
 */
export const createGetReceipt =
  ({ identities, access, proofBuilder, now }: Deps): GetReceipt =>
  async (caller, identityId) => {
    const identity = await access.find(caller, identityId);
    const { _id, tenantId, state, closedAt, closing } = identity;
    if (state !== 'CLOSED' || !closedAt || !closing) throw new ApiError('STATE_CONFLICT');
    const content = {
      identityId: _id,
      tenantId,
      reason: closing.reason,
      closedAt: formatDateTime(closedAt),
      createdAt: formatDateTime(identity.createdAt),
      keyDestroyed: true,
      ...(identity.proof?.built ? { proofId: identity.proof.proofId } : {}),
    };
    if (identity.receipt) return ok({ ...content, receipt: identity.receipt });
    const receipt = await proofBuilder.sign({ kind: 'deletion-receipt', content });
    const stored = await identities.change(_id, (current) => withReceipt(current, receipt), { now: now() });
    return ok({ ...content, receipt: accepted(stored).identity.receipt ?? receipt });
  };
