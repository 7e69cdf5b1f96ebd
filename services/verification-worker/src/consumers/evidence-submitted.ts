import { Poison } from '@assay/bus';
import {
  type DataOf,
  type Envelope,
  evidenceEvaluated,
  type evidenceSubmitted,
  issuingCheckRequested,
} from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import { type CaseChanger, eventOf } from '../change-case.ts';
import { type Intake, readAhead } from '../clients/intake.ts';
import { isStable } from '../domain/announce.ts';
import { type CaseEvidence, changeEvidence, policyOf, withEvidence } from '../domain/case.ts';
import type { Engine } from '../engine/engine.ts';
import { endedEvidence, gather, kindOf, picturesOf } from '../participants/gather.ts';
import type { Begun } from '../participants/observe.ts';
import type { CaseDocument, CaseStore } from '../store/cases.ts';
import { openVault } from '../vault.ts';

type Submitted = Envelope<DataOf<typeof evidenceSubmitted>>;

export interface SubmittedNeeds {
  cases: CaseStore;
  changer: CaseChanger;
  engine: Engine;
  intake: Intake;
  keyring: Keyring;
  now: Clock;
  begun: Begun;
}

const isSettled = ({ told }: CaseEvidence): boolean => told !== undefined && isStable(told.status);

/** The question to the issuing source of an evidence, under the id it always had. */
const askAgain = (event: Submitted, { evidenceId, type, kind, checkId, settings, sealed }: CaseEvidence, at: Date) =>
  eventOf(issuingCheckRequested, event, at, {
    checkId: checkId!,
    evidenceId,
    type,
    mode: kind === 'documentImage' ? 'IMAGE' : kind === 'healthCard' ? 'HEALTH_CARD' : 'TEXT',
    userCategory: settings.issuingSources.userCategory,
    sealedDocument: sealed.question!,
    ...(settings.issuingSources.recheckAfterSeconds
      ? { recheckAfterSeconds: settings.issuingSources.recheckAfterSeconds }
      : {}),
  });

/** The present state of an evidence once more: whoever had it issued again has lost it. */
const tellAgain = (event: Submitted, of: CaseDocument, evidence: CaseEvidence, at: Date) =>
  eventOf(evidenceEvaluated, event, at, {
    caseRevision: of.revision,
    policy: { ...evidence.settings.policy, ...policyOf(of) },
    evidences: [evidence.told!],
    identity: of.told!,
  });

const known = (of: CaseDocument | undefined, evidenceId: string): CaseEvidence | undefined =>
  of?.evidences?.find((one) => one.evidenceId === evidenceId);

/** Ends an evidence NOT_VERIFIED without any verification, unless it has a stable status already. */
export const endEvidence =
  ({ changer }: Pick<SubmittedNeeds, 'changer'>) =>
  ({ key: _key, ...event }: Submitted, endedBy: NonNullable<CaseEvidence['endedBy']>): Promise<void> =>
    // Without the key: it may be what the work failed for, and nothing here needs it.
    changer.change(event, (before) => {
      if (!kindOf(event.data)) return undefined;
      const there = known(before, event.data.evidenceId);
      const after = there
        ? changeEvidence(before, there.evidenceId, (evidence) =>
            isSettled(evidence) ? undefined : { ...evidence, endedBy },
          )
        : withEvidence(before, endedEvidence(event, endedBy));
      return after && { after };
    });

/** evidence.submitted: has everything the submission asks for looked at, then evaluates the case, in one write with what is told of it. */
export const onEvidenceSubmitted = (needs: SubmittedNeeds) => {
  const { cases, changer, engine, intake, keyring, now, begun } = needs;
  const end = endEvidence(needs);

  const again = (event: Submitted): Promise<void> =>
    changer.tell(event, (of) => {
      const evidence = known(of, event.data.evidenceId)!;
      if (evidence.awaitingIssuer) return [askAgain(event, evidence, now())];
      return evidence.told && of.told ? [tellAgain(event, of, evidence, now())] : [];
    });

  return async (event: Submitted): Promise<void> => {
    const { evidenceId, reissued, endWith, media } = event.data;
    // Nearly always the submission is news, and its pictures will be wanted.
    const ahead = reissued || endWith ? intake : readAhead(intake, event, picturesOf(media));
    const of = await cases.find(event.identityId);
    if (of?.closed || of?.deleted.includes(evidenceId) || of?.inbox.includes(event.id)) return;
    const there = known(of, evidenceId);
    if (endWith && !(there && isSettled(there))) return end(event, endWith);
    if (there) return reissued ? again(event) : undefined;
    const vault = await openVault(keyring, event);
    if (!vault) throw new Poison('the submission brings no key');
    const gathered = await gather({ event, engine, intake: ahead, vault, now, begun });
    if (!gathered) return;
    const { evidence, askIssuer } = gathered;
    await changer.change(event, (before) => {
      const after = withEvidence(before, evidence);
      return after && { after, ...(askIssuer ? { events: [askAgain(event, evidence, now())] } : {}) };
    });
  };
};
