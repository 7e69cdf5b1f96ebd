import {
  type EvidenceType,
  errorObject,
  type ParticipantType,
  parseDateTime,
  present,
  type SandboxKind,
  type SandboxOutcome,
  type SandboxPlay,
  sandboxKindOf,
  sandboxOutcome,
} from '@assay/contracts';
import type { CaseEvidence } from '../domain/case.ts';
import { withIssuerAnswer } from '../domain/confirmed-data.ts';
import { dataOfHealthCard, dataOfText, type EvidenceData, operatorFields } from '../domain/evidence-data.ts';
import { isOfIssuer, isOfMatching, playedIndicators, playOfData, sandboxPerson } from '../domain/sandbox.ts';
import { detailsOf } from './participant-details.ts';
import { sealedViews, withoutFindings } from './run-participants.ts';
import type { Sealer } from './sealer.ts';
import type { SubmissionContent, Submitted } from './verification-input.ts';

const FIRST: Readonly<Record<SandboxKind, ParticipantType>> = {
  documentImage: 'IMAGE_OCR',
  documentText: 'GOV_VERIFICATION',
  healthCard: 'GOV_VERIFICATION',
  documentChip: 'NFC_CHIP_VERIFICATION',
  portrait: 'BIOMETRIC_QUALITY_CHECK',
};
const READ = ['PASSPORT', 'IDENTITY_CARD', 'RESIDENT_CARD', 'DRIVING_LICENSE'] as const;
const FACE = { width: 240 };
const ADJUDICATED = /-adjudication$/;

const contentOf = ({ data }: Submitted, sealer: Sealer): SubmissionContent =>
  data.sealedSubmission ? sealer.open<SubmissionContent>('submission', data.sealedSubmission) : {};

/**
 * What a sandbox is to play for a submission: what was armed, else what its own data asks for.
 * Nothing outside of a sandbox.
 */
export const playOf = (event: Submitted, sealer: Sealer): SandboxPlay | undefined => {
  const { settings, operation } = event.data;
  const kind = sandboxKindOf(operation);
  if (!settings.sandbox || !kind) return undefined;
  const { documentText, healthCard } = contentOf(event, sealer);
  return settings.sandbox.play ?? playOfData(kind, documentText ?? healthCard);
};

const LOOKED_EVERY_MS = 1000;

/** How long the submission has to wait before it is looked at again; 0 when its delay is over. */
export const remainingDelayMs = ({ data }: Submitted, { delaySeconds = 0 }: SandboxPlay, now: Date): number => {
  const over = parseDateTime(data.submitDateTime).getTime() + delaySeconds * 1000;
  return Math.min(LOOKED_EVERY_MS, Math.max(0, over - now.getTime()));
};

/** The type that is recognised: the declared one, a passport where it is none that can be. */
const recognised = (declared: EvidenceType | undefined): (typeof READ)[number] =>
  READ.find((type) => type === declared) ?? 'PASSPORT';

interface Played {
  outcome: SandboxOutcome;
  type: EvidenceType;
  raised: readonly string[];
}

const dataFor = ({ outcome, type, raised }: Played, content: SubmissionContent): EvidenceData | undefined => {
  const { documentText, healthCard } = content;
  if (documentText) return withIssuerAnswer(dataOfText(documentText), { raised });
  // The source of health cards gives one answer for all that it is asked.
  if (healthCard) return withIssuerAnswer(dataOfHealthCard(healthCard), { raised, asked: ['fullName', 'dateOfBirth'] });
  if (outcome.kind === 'portrait') return undefined;
  if (outcome.rejected || outcome.technical) return { idDocumentData: {} };
  const person = sandboxPerson(recognised(type));
  // Its values are played as read, not as confirmed by an issuer.
  return { ...person, ...present({ confirmedWithoutIssuer: person.confirmed }) };
};

const participantsOf = (event: Submitted, outcome: SandboxOutcome, raised: readonly string[], at: Date) => {
  const { evidenceId, sessionId } = event.data;
  const first = FIRST[outcome.kind];
  const isOwn = (one: string) => first === 'GOV_VERIFICATION' || !isOfIssuer(one);
  const part = (participantType: ParticipantType, indicators: string[], rejected: boolean) =>
    detailsOf(
      {
        participantType,
        accepted: !rejected,
        raised: indicators,
        services: [],
        ...(rejected && outcome.error ? { errors: [errorObject(outcome.error)] } : {}),
      },
      { evidenceId, sessionId, startedAt: at, endedAt: at, blocking: true },
    );
  const issuer = raised.filter((one) => !isOwn(one));
  const own = raised.filter((one) => isOwn(one) && !isOfMatching(one));
  return [
    part(first, own, outcome.rejected === true),
    ...(issuer.length > 0 ? [part('GOV_VERIFICATION', issuer, false)] : []),
  ];
};

/**
 * Of a sandbox: the evidence as the participants would leave it, had they found what the outcome
 * says. It is then evaluated like any other; undefined if no outcome has this name.
 */
export const playParticipants = (
  event: Submitted,
  { outcome: name, indicators }: SandboxPlay,
  sealer: Sealer,
  at: Date,
): CaseEvidence | undefined => {
  const outcome = sandboxOutcome(name);
  if (!outcome) return undefined;
  const content = contentOf(event, sealer);
  const raised = playedIndicators(outcome, indicators);
  const evidence = withoutFindings(event, outcome.kind);
  const hasFace = outcome.kind === 'documentImage' || outcome.kind === 'documentChip';
  const declared = content.captureDetails?.documentType ?? evidence.type;
  const data = dataFor({ outcome, type: declared, raised }, content);
  const { adjudication } = evidence.settings;
  return {
    ...evidence,
    ...(hasFace && !outcome.rejected && { type: recognised(declared), extracted: true, face: FACE }),
    ...(ADJUDICATED.test(name) && {
      settings: { ...evidence.settings, adjudication: { ...adjudication, enabled: true } },
    }),
    ...(outcome.technical && { endedBy: 'PROCESSING_FAILED' }),
    participants: participantsOf(event, outcome, raised, at),
    ...(outcome.kind === 'portrait' && {
      portraitQuality: !outcome.rejected,
      playedMatching: raised.filter(isOfMatching),
    }),
    sealed: data ? { ...sealedViews(sealer, data), fields: sealer.seal('fields', operatorFields(data)) } : {},
  };
};
