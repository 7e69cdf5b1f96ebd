import { RetryLater } from '@assay/bus';
import {
  type ConsentFacts,
  type DataOf,
  decisiveConsents,
  type Envelope,
  evidenceEvaluated,
  type evidenceSubmitted,
  isStable,
  issuingCheckRequested,
} from '@assay/contracts';
import type { Engine } from '@assay/engine';
import type { Clock } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import { type Intake, readAhead } from '../clients/intake.ts';
import { type CaseEvidence, changeEvidence, policyOf, withEvidence } from '../domain/case.ts';
import { kindOf } from '../domain/evidence-kind.ts';
import type { CaseChanger, UpdateCase } from '../flows/change-case.ts';
import { basisOf, eventOf } from '../flows/evaluate-change.ts';
import { endedEvidence, gather, picturesOf } from '../flows/gather.ts';
import { gatherPlayed, playOf, remainingDelayMs } from '../flows/gather-played.ts';
import type { OnParticipantStarted } from '../flows/observe.ts';
import { openSealer } from '../flows/sealer.ts';
import type { Chips } from '../flows/verification-input.ts';
import type { CaseDocument, CaseStore } from '../store/cases.ts';

// An event that arrives later than this is usually a republished one that was handled before.
const READ_AHEAD_WITHIN_MS = 60_000;

type Submitted = Envelope<DataOf<typeof evidenceSubmitted>>;

export interface Deps {
  cases: CaseStore;
  changer: CaseChanger;
  engine: Engine;
  chips: Chips;
  intake: Intake;
  keyring: Keyring;
  now: Clock;
  onParticipantStarted: OnParticipantStarted;
}

const isSettled = ({ lastPublished }: CaseEvidence): boolean =>
  lastPublished !== undefined && isStable(lastPublished.status);

/**
 * The question to the issuing source of an evidence, under its first id, with the present consents.
 */
const issuingCheckFor = (
  event: Submitted,
  { evidenceId, type, kind, checkId, consents, settings, sealed }: CaseEvidence,
  facts: ConsentFacts,
  at: Date,
) =>
  eventOf(issuingCheckRequested, event, at, {
    checkId: checkId!,
    evidenceId,
    type,
    mode: kind === 'documentImage' ? 'IMAGE' : kind === 'healthCard' ? 'HEALTH_CARD' : 'TEXT',
    userCategory: settings.issuingSources.userCategory,
    sealedDocument: sealed.question!,
    consents: decisiveConsents(consents, facts, 'GIV').filter((consent) => consent.type === 'GIV'),
    ...(settings.issuingSources.recheckAfterSeconds
      ? { recheckAfterSeconds: settings.issuingSources.recheckAfterSeconds }
      : {}),
  });

/**
 * Publishes the present state of an evidence again: evidence-intake re-issued it because that event
 * was lost.
 */
const republish = (event: Submitted, caseDocument: CaseDocument, evidence: CaseEvidence, at: Date) =>
  eventOf(evidenceEvaluated, event, at, {
    caseRevision: caseDocument.revision,
    policy: { ...evidence.settings.policy, ...policyOf(caseDocument) },
    evidences: [evidence.lastPublished!],
    identity: caseDocument.lastPublished!,
    basis: basisOf(caseDocument),
  });

const known = (caseDocument: CaseDocument | undefined, evidenceId: string): CaseEvidence | undefined =>
  caseDocument?.evidences?.find((one) => one.evidenceId === evidenceId);

const hasPortrait = (caseDocument: CaseDocument | undefined): boolean =>
  caseDocument?.evidences.some(({ kind, face }) => kind === 'portrait' && face) ?? false;

/**
 * Ends an evidence NOT_VERIFIED without any verification, unless it has a stable status already.
 */
export const endEvidence =
  ({ changer }: Pick<Deps, 'changer'>) =>
  (event: Submitted, endedBy: NonNullable<CaseEvidence['endedBy']>): Promise<void> => {
    const update: UpdateCase = (before) => {
      if (!kindOf(event.data)) return undefined;
      const existing = known(before, event.data.evidenceId);
      const after = existing
        ? changeEvidence(before, existing.evidenceId, (evidence) =>
            isSettled(evidence) ? undefined : { ...evidence, endedBy },
          )
        : withEvidence(before, endedEvidence(event, endedBy));
      return after && { after };
    };
    return changer.change(event, update, { keyless: true });
  };

/**
 * evidence.submitted: has everything the submission asks for looked at, then evaluates the case, in
 * one write with what is published of it.
 */
export const onEvidenceSubmitted = (deps: Deps) => {
  const { cases, changer, engine, chips, intake, keyring, now, onParticipantStarted } = deps;
  const end = endEvidence(deps);

  const again = (event: Submitted): Promise<void> =>
    changer.publish(event, (caseDocument) => {
      const evidence = known(caseDocument, event.data.evidenceId);
      // Deleted at this moment.
      if (!evidence) return [];
      if (evidence.awaitingIssuer) return [issuingCheckFor(event, evidence, caseDocument.consents, now())];
      return evidence.lastPublished && caseDocument.lastPublished
        ? [republish(event, caseDocument, evidence, now())]
        : [];
    });

  return async (event: Submitted): Promise<void> => {
    const { evidenceId, reissued, endWith, media } = event.data;
    // Nearly always the submission is new, and its images are needed.
    const isOld = now().getTime() - Date.parse(event.at) > READ_AHEAD_WITHIN_MS;
    const preloaded = reissued || endWith || isOld ? intake : readAhead(intake, event, picturesOf(media));
    // A case never forgets a deleted or ended evidence: the case as this process wrote it is enough
    // to decide whether to verify this one.
    const caseDocument = cases.recent(event.identityId) ?? (await cases.find(event.identityId));
    if (caseDocument?.closed || caseDocument?.deleted.includes(evidenceId) || caseDocument?.inbox.includes(event.id))
      return;
    const existing = known(caseDocument, evidenceId);
    if (endWith && !(existing && isSettled(existing))) return end(event, endWith);
    if (existing) return reissued ? again(event) : undefined;
    const sealer = await openSealer(keyring, event);
    if (!sealer) return;
    const play = playOf(event, sealer);
    const waitMs = play ? remainingDelayMs(event, play, now()) : 0;
    if (waitMs > 0) throw new RetryLater('the sandbox was asked for a delay', waitMs);
    const gathered = play
      ? gatherPlayed(event, play, sealer, now())
      : await gather({
          ...{ event, engine, chips, intake: preloaded, sealer, now, onParticipantStarted },
          isAwaited: hasPortrait(caseDocument),
        });
    if (!gathered) return;
    const { evidence, askIssuer } = gathered;
    await changer.change(event, (before) => {
      const after = withEvidence(before, evidence);
      return (
        after && { after, ...(askIssuer ? { events: [issuingCheckFor(event, evidence, before.consents, now())] } : {}) }
      );
    });
  };
};
