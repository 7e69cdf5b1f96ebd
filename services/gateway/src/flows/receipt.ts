import { formatDateTime } from '@assay/contracts';
import { ApiError, ok, type Reply } from '@assay/http';
import type { Clock } from '@assay/runtime';
import type { ProofBuilder } from '../clients/proof-builder.ts';
import { withReceipt } from '../domain/transaction.ts';
import type { Call } from '../http/call.ts';
import type { Identities } from '../store/identities.ts';
import type { Access } from './access.ts';

export interface ReceiptParts {
  identities: Identities;
  access: Access;
  proofBuilder: Pick<ProofBuilder, 'sign'>;
  clock: Clock;
}

export type GetReceipt = (call: Call) => Promise<Reply>;

/**
 * The deletion receipt of a closed identity: signed, without personal data, to be had as long as the tombstone is kept. It is signed when it is first asked for and
 * stays the same from then on.
 */
export const createGetReceipt =
  ({ identities, access, proofBuilder, clock }: ReceiptParts): GetReceipt =>
  async (call) => {
    const identity = await access.find(call);
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
    const now = clock();
    const { identity: kept } = await identities.change(_id, (current) => withReceipt(current, receipt), { now });
    return ok({ ...content, receipt: kept.receipt ?? receipt });
  };
