import { RetryLater } from '@assay/bus';
import type { DataOf, Envelope, evidenceEvaluated } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import type { NewEvent } from '../domain/change.ts';
import { applyEvaluation, unknownEvidence } from '../domain/evaluations.ts';
import type { AdjudicationFlow } from '../flows/adjudication.ts';
import { countResults } from '../flows/outcome-metrics.ts';
import type { Identities } from '../store/identities.ts';
import { ofKnownIdentity } from './known-identity.ts';

export interface Deps {
  identities: Identities;
  adjudication: Pick<AdjudicationFlow, 'forget'>;
  now: Clock;
}

/**
 * evidence.evaluated: what GET answers and what the webhook says change in one write
 * (invariant 4). Where it ends the identity for good, operators are asked no more.
 */
export const onEvidenceEvaluated =
  ({ identities, adjudication, now }: Deps) =>
  async ({ identityId, data }: Envelope<DataOf<typeof evidenceEvaluated>>): Promise<void> => {
    const at = now();
    let early = false;
    let events: readonly NewEvent[] = [];
    const changed = await ofKnownIdentity(
      identities.change(
        identityId,
        (identity) => {
          early = unknownEvidence(identity, data) && !['CLOSING', 'CLOSED'].includes(identity.state);
          const change = early ? undefined : applyEvaluation(identity, data, at);
          events = change?.events ?? [];
          return change;
        },
        { now: at },
      ),
    );
    if (changed?.written) countResults(changed.identity, data.evidences, events, at);
    if (changed?.identity.state === 'ERROR') await adjudication.forget(identityId, 'IDENTITY_FAILED');
    if (early) throw new RetryLater('the evidence is not known yet');
  };
