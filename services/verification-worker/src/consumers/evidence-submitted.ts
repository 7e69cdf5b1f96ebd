import { RetryLater } from '@assay/bus';
import { type DataOf, type Envelope, type evidenceSubmitted, isStable } from '@assay/contracts';
import type { Engine } from '@assay/engine';
import type { Clock, Log } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import { type Intake, readAhead } from '../clients/intake.ts';
import { type CaseEvidence, changeEvidence, withEvidence } from '../domain/case.ts';
import { kindOf } from '../domain/evidence-kind.ts';
import { issuingCheckEvents, lastEvaluationEvents } from '../flows/case-events.ts';
import type { CaseChanger, UpdateCase } from '../flows/change-case.ts';
import type { OnParticipantStarted } from '../flows/participant-log.ts';
import { playOf, playParticipants, remainingDelayMs } from '../flows/play-participants.ts';
import { endedEvidence, picturesOf, runParticipants } from '../flows/run-participants.ts';
import { openSealer, type Sealer } from '../flows/sealer.ts';
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
  log: Log;
  onParticipantStarted: OnParticipantStarted;
}

const isSettled = ({ lastPublished }: CaseEvidence): boolean =>
  lastPublished !== undefined && isStable(lastPublished.status);

/** The evidence as the case has it; a closed case has none. */
const evidenceIn = (caseDocument: CaseDocument | undefined, evidenceId: string): CaseEvidence | undefined =>
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
      const existing = evidenceIn(before, event.data.evidenceId);
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
 * evidence-intake re-issued an evidence that the case has: an event about it was lost. Publishes
 * that event again, the request to the issuing source or the last evaluation.
 */
const publishAgain =
  ({ changer, now }: Pick<Deps, 'changer' | 'now'>) =>
  (event: Submitted): Promise<void> =>
    changer.publish(event, (caseDocument) => {
      const evidence = evidenceIn(caseDocument, event.data.evidenceId);
      // Deleted at this moment.
      if (!evidence) return [];
      return evidence.awaitingIssuer
        ? issuingCheckEvents(event, evidence, caseDocument.consents, now())
        : lastEvaluationEvents(event, caseDocument, evidence, now());
    });

interface Verification {
  event: Submitted;
  sealer: Sealer;
  /** Where the media are read from. */
  intake: Intake;
  caseDocument: CaseDocument | undefined;
}

/** Verifies one submission, or plays the outcome that a sandbox asks for. */
const verify = async (
  { engine, chips, now, onParticipantStarted }: Deps,
  { event, sealer, intake, caseDocument }: Verification,
): Promise<CaseEvidence | undefined> => {
  const play = playOf(event, sealer);
  if (!play) {
    const isAwaited = hasPortrait(caseDocument);
    return runParticipants({ event, engine, chips, intake, sealer, now, onParticipantStarted, isAwaited });
  }
  const waitMs = remainingDelayMs(event, play, now());
  if (waitMs > 0) throw new RetryLater('the sandbox was asked for a delay', waitMs);
  return playParticipants(event, play, sealer, now());
};

/** What is known of a submission that the case does not have. */
type Unseen = Pick<Verification, 'event' | 'intake' | 'caseDocument'>;

/**
 * Verifies a submission that the case does not have yet, and evaluates the case. False if there is
 * nothing that could be verified.
 */
const takeIn =
  (deps: Deps) =>
  async ({ event, intake, caseDocument }: Unseen): Promise<boolean> => {
    const { changer, keyring, now } = deps;
    const sealer = await openSealer(keyring, event);
    const evidence = sealer && (await verify(deps, { event, sealer, intake, caseDocument }));
    if (!evidence) return false;
    await changer.change(event, (before) => {
      const after = withEvidence(before, evidence);
      return after && { after, events: issuingCheckEvents(event, evidence, before.consents, now()) };
    });
    return true;
  };

/**
 * evidence.submitted: verifies the submission, then evaluates the case, in one write with the
 * events. An evidence that the case has already is not verified again. One that is given up is
 * verified if nobody has: its first event may still wait in a queue, behind this one.
 */
export const onEvidenceSubmitted = (deps: Deps) => {
  const { cases, now, log } = deps;
  const end = endEvidence(deps);
  const publishEvidenceAgain = publishAgain(deps);
  const verifyUnseen = takeIn(deps);

  return async (event: Submitted): Promise<void> => {
    const { evidenceId, reissued, endWith, media } = event.data;
    // Nearly always the submission is new, and its images are needed.
    const isOld = now().getTime() - Date.parse(event.at) > READ_AHEAD_WITHIN_MS;
    const intake = reissued || endWith || isOld ? deps.intake : readAhead(deps.intake, event, picturesOf(media));
    // A case never forgets a deleted or ended evidence: the case as this process wrote it is enough
    // to decide whether to verify this one.
    const caseDocument = cases.recent(event.identityId) ?? (await cases.find(event.identityId));
    if (caseDocument?.closed || caseDocument?.deleted.includes(evidenceId) || caseDocument?.inbox.includes(event.id))
      return;
    const existing = evidenceIn(caseDocument, evidenceId);
    const unseen = { event, intake, caseDocument };
    if (endWith && !(existing && isSettled(existing))) {
      const couldNotVerify = (error: unknown): false => {
        log.warn({ msg: 'evidence.given-up', identityId: event.identityId, evidenceId, error });
        return false;
      };
      const isWaiting = endWith === 'PROCESSING_FAILED' && !existing;
      const isVerified = isWaiting && (await verifyUnseen(unseen).catch(couldNotVerify));
      return isVerified ? undefined : end(event, endWith);
    }
    if (existing) return reissued ? publishEvidenceAgain(event) : undefined;
    await verifyUnseen(unseen);
  };
};
