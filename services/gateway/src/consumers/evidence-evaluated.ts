import { RetryLater } from '@assay/bus';
import type { DataOf, Envelope, evidenceEvaluated } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import { applyEvaluation, unknownEvidence } from '../domain/evaluations.ts';
import type { Identities } from '../store/identities.ts';
import { ofKnownIdentity } from './known-identity.ts';

/** evidence.evaluated: what GET answers and what the client is told of change in one write (invariant 4). */
export const onEvidenceEvaluated =
  ({ identities, clock }: { identities: Identities; clock: Clock }) =>
  async ({ identityId, data }: Envelope<DataOf<typeof evidenceEvaluated>>): Promise<void> => {
    const now = clock();
    let early = false;
    await ofKnownIdentity(
      identities.change(
        identityId,
        (identity) => {
          early = unknownEvidence(identity, data) && !['CLOSING', 'CLOSED'].includes(identity.state);
          return early ? undefined : applyEvaluation(identity, data, now);
        },
        { now },
      ),
    );
    if (early) throw new RetryLater('the evidence is not known yet');
  };
