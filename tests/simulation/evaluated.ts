import { isDeepStrictEqual } from 'node:util';
import { type EvaluatedEvidence, type EvaluatedIdentity, present, todayAt } from '@assay/contracts';
import type { Policies } from '@assay/policy';
import { type Case, factsOf, policyOf } from '../../services/verification-worker/src/domain/case.ts';
import { evaluateCase } from '../../services/verification-worker/src/domain/evaluate-case.ts';
import type { Suspect } from './suspect.ts';

/*
 * When all is settled, the case, the gateway and the proof name the same evaluation, and the case
 * would be evaluated so again.
 */

type StoredCase = Case & { closed?: boolean };

interface Shown {
  _id: string;
  evaluated?: EvaluatedIdentity;
  evidences: { evidenceId: string; evidenceRevision: number }[];
}

interface Recorded {
  eventType: string;
  data: { caseRevision: number; identity: EvaluatedIdentity; evidences: EvaluatedEvidence[] };
}

const formerOf = ({ evidences }: Case) =>
  new Map(
    evidences.flatMap(({ evidenceId, lastPublished }) =>
      lastPublished
        ? [[evidenceId, { status: lastPublished.status, ...present({ referenceId: lastPublished.proof.parent }) }]]
        : [],
    ),
  );

/** Whether a case would be evaluated today as it was published. */
const isInForce = (stored: StoredCase, published: EvaluatedIdentity, policies: Policies, at: Date): boolean => {
  const { name, version } = policyOf(stored);
  const policy = policies.named(name, version) ?? policies.named('default')!;
  const { level, upgradePaths } = evaluateCase({
    ...{ facts: factsOf(stored), policy, settings: stored.createdUnder },
    ...{ today: todayAt(at), former: formerOf(stored) },
  });
  return level === published.levelOfAssurance && isDeepStrictEqual(upgradePaths, published.upgradePaths);
};

/** Revisions of evidences, in any order. */
const revisionsOf = (evidences: readonly { evidenceId: string; evidenceRevision: number }[]): Map<string, number> =>
  new Map(evidences.map(({ evidenceId, evidenceRevision }) => [evidenceId, evidenceRevision]));

/** The identities of which services know different evaluations, or an old one. */
export const unlikeEvaluations = ({ stage, ledger }: Suspect, policies: Policies): string[] => {
  const { store, world } = stage;
  return [...ledger.identities].flatMap((identityId) => {
    const [stored] = store.collection('verification-worker', 'cases').matching({ _id: identityId });
    const found = stored as unknown as StoredCase | undefined;
    const published = found?.lastPublished;
    if (ledger.ended.has(identityId) || !found || !published || found.closed) return [];
    const [document] = store.collection('gateway', 'identities').matching({ _id: identityId });
    const shown = document as unknown as Shown;
    const history = store.collection('proof-builder', 'histories').matching({ identityId });
    const evaluations = (history as unknown as Recorded[]).filter(
      ({ eventType }) => eventType === 'evidence.evaluated',
    );
    const newest = evaluations.toSorted((a, b) => b.data.caseRevision - a.data.caseRevision)[0];
    const last = found.evidences.flatMap(({ lastPublished }) => lastPublished ?? []);
    const revisions = revisionsOf(shown.evidences);
    const policy = ledger.policies.get(identityId) ?? 'default';
    return [
      ...(policyOf(found).name === policy ? [] : [`the case of ${identityId} has another policy than ${policy}`]),
      ...(isDeepStrictEqual(shown.evaluated, published)
        ? []
        : [`${identityId} shows another evaluation than its case`]),
      ...(isDeepStrictEqual(newest?.data.identity, published)
        ? []
        : [`the proof of ${identityId} has another evaluation`]),
      ...last
        .filter(({ evidenceId, evidenceRevision }) => revisions.get(evidenceId) !== evidenceRevision)
        .map(({ evidenceId }) => `evidence ${evidenceId} is shown as it was evaluated before`),
      ...(isInForce(found, published, policies, new Date(world.now()))
        ? []
        : [`the case of ${identityId} was published otherwise than it is evaluated`]),
    ];
  });
};
