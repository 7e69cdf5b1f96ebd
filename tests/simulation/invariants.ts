import { misjudged } from './adjudications.ts';
import { creationsOf, timeoutsOf, unannounced, unannouncedEnds } from './announced.ts';
import { misaudited } from './audited.ts';
import { lostBytes, strayBytes } from './bytes.ts';
import { brokenChips, unlikeChips } from './chipped.ts';
import type { Ledger } from './client/ledger.ts';
import { unannouncedWithdrawals, unlikeConsents } from './consented.ts';
import { unlikeFaces } from './faces.ts';
import { wrappedByFormer } from './rotated.ts';
import type { Fields } from './store/paths.ts';
import type { Stage } from './suite/stage.ts';
import { notDeleted, type Suspect, shownEvidence, shownIdentity } from './suspect.ts';

const changedProofs = ({ proofs }: Ledger): string[] =>
  [...proofs].flatMap(([identityId, digests]) => (digests.size > 1 ? [`the proof of ${identityId} has changed`] : []));

/** The collections whose documents belong to an identity and are deleted with it. */
const PERSONAL = [
  ['keys', 'identityKeys'],
  ['evidence-intake', 'evidences'],
  ['evidence-intake', 'media'],
  ['verification-worker', 'cases'],
  ['issuing-source-adapter', 'checks'],
  ['proof-builder', 'histories'],
] as const;

const unpublished = ({ store }: Stage): string[] =>
  [...store.databases].flatMap(([database, collections]) =>
    [...collections].flatMap(([name, documents]) => {
      const waiting = documents.all().filter(({ outbox }) => Array.isArray(outbox) && outbox.length > 0);
      return waiting.length > 0 ? [`${database}.${name} has events to publish`] : [];
    }),
  );

const leftOfEnded = ({ stage, ledger }: Suspect): string[] =>
  PERSONAL.flatMap(([database, name]) => {
    const concerns = ({ _id, identityId, closed, heldBy }: Fields): boolean =>
      // A closed case is its own tombstone. The media of an archive stay until its grace period is
      // over.
      !closed &&
      !(Array.isArray(heldBy) && heldBy.length > 0) &&
      (ledger.ended.has(String(_id)) || ledger.ended.has(String(identityId)));
    const left = stage.store.collection(database, name).all().filter(concerns);
    return left.length > 0 ? [`${left.length} of ended identities left in ${database}.${name}`] : [];
  });

/**
 * With consent, and under the policy of the tenant, the issuer is asked until it answers, and its
 * answer decides.
 */
const unanswered = (suspect: Suspect): string[] =>
  notDeleted(suspect).flatMap(({ identityId, evidenceId, number }) => {
    const { stage, ledger, outsiders } = suspect;
    const { policies, withdrawn } = ledger;
    if (number === undefined || withdrawn.has(evidenceId) || policies.has(identityId)) return [];
    const wanted = outsiders.sourceReplies.get(number) === 'Y' ? 'VERIFIED' : 'INVALID';
    const status = shownEvidence(stage, identityId, evidenceId)?.status;
    return status === wanted ? [] : [`evidence ${evidenceId} is ${status}, and its issuer would say ${wanted}`];
  });

/** What must still happen after all faults are over; empty when the suite has settled. */
export const outstanding = (suspect: Suspect): string[] => [
  ...(suspect.ledger.underWay > 0 ? [`${suspect.ledger.underWay} clients are under way`] : []),
  ...unannounced(suspect),
  ...unanswered(suspect),
  ...leftOfEnded(suspect),
  ...unannouncedEnds(suspect),
  ...unannouncedWithdrawals(suspect),
  ...unlikeChips(suspect),
  ...wrappedByFormer(suspect),
  ...unpublished(suspect.stage),
  ...[...suspect.stage.broker.depths()].map(([queue, count]) => `${count} messages in ${queue}`),
];

/** What may never be true, at any time. */
export const broken = (suspect: Suspect): string[] => {
  const { stage, ledger, outsiders } = suspect;
  const bodies = new Map<string, string>();
  const changed = outsiders.webhooks.filter(({ webhookId, text }) => {
    const first = bodies.get(webhookId) ?? text;
    bodies.set(webhookId, first);
    return first !== text;
  });
  const twice = ledger.accepted.filter(
    ({ evidenceId }) => new Set(creationsOf(suspect, evidenceId).map(({ webhookId }) => webhookId)).size > 1,
  );
  const timedOutTwice = [...ledger.brief].filter((identityId) => timeoutsOf(suspect, identityId).size > 1);
  const unasked = ledger.accepted.filter(({ identityId, evidenceId, number }) => {
    if (number === undefined) return false;
    const status = shownEvidence(stage, identityId, evidenceId)?.status;
    const reply = outsiders.answered.has(number) ? outsiders.sourceReplies.get(number) : undefined;
    return (status === 'VERIFIED' && reply !== 'Y') || (status === 'INVALID' && reply !== 'N');
  });
  const doubled = [...stage.broker.subscriptions()].filter(([, count]) => count > 1);
  const dead = [...stage.broker.depths()].filter(([queue]) => queue.endsWith('.dead'));
  return [
    ...ledger.forbidden,
    ...brokenChips(suspect),
    ...changedProofs(ledger),
    ...changed.map(({ webhookId }) => `webhook ${webhookId} was repeated with another body`),
    ...twice.map(({ evidenceId }) => `evidence ${evidenceId} was announced under two ids`),
    ...timedOutTwice.map((identityId) => `the timeout of ${identityId} was announced under two ids`),
    ...unasked.map(({ evidenceId }) => `evidence ${evidenceId} has a result that its issuer did not give`),
    ...doubled.map(([queue, count]) => `${count} subscriptions for ${queue}`),
    ...dead.map(([queue, count]) => `${count} dead letters in ${queue}`),
  ];
};

/**
 * Differences between what an identity shows and its client's log. Only meaningful when all clients
 * are done.
 */
export const unlike = (suspect: Suspect): string[] => [
  ...lostBytes(suspect),
  ...unlikeLogs(suspect),
  ...strayBytes(suspect),
  ...notInProof(suspect),
  ...withoutConsent(suspect),
  ...unconfirmed(suspect),
  ...unlikeFaces(suspect),
  ...unlikeConsents(suspect),
  ...misaudited(suspect),
  ...againstOperators(suspect),
];

/** All that was accepted is in the proof, also if it was submitted when the proof was asked for. */
const notInProof = ({ ledger: { accepted, archives, deleted } }: Suspect): string[] =>
  accepted.flatMap(({ identityId, evidenceId }) => {
    const archive = archives.get(identityId);
    if (!archive || deleted.has(evidenceId) || archive.includes(evidenceId)) return [];
    return [`the proof of ${identityId} lacks evidence ${evidenceId}`];
  });

/** Operators, and only they, decide on every picture of a sandbox. */
const againstOperators = ({ stage, ledger, fourEyes }: Suspect): string[] =>
  ledger.accepted.flatMap(({ identityId, evidenceId }) => {
    const status = shownEvidence(stage, identityId, evidenceId)?.status;
    return status === undefined || ledger.ended.has(identityId)
      ? []
      : misjudged(ledger, evidenceId, { status, fourEyes });
  });

/** A withdrawal sets aside what an issuer has confirmed (specification, Consents). */
const withoutConsent = ({ stage, ledger }: Suspect): string[] =>
  ledger.accepted.flatMap(({ identityId, evidenceId, number }) => {
    if (!ledger.withoutConsent.has(identityId) || ledger.ended.has(identityId) || number === undefined) return [];
    const isVerified = shownEvidence(stage, identityId, evidenceId)?.status === 'VERIFIED';
    return isVerified ? [`evidence ${evidenceId} is VERIFIED by an issuer without consent`] : [];
  });

/** A code that was sent back and accepted verifies its contact for good. */
const unconfirmed = ({ stage, ledger }: Suspect): string[] =>
  ledger.verified.flatMap(({ identityId, value }) => {
    if (ledger.ended.has(identityId)) return [];
    const contacts = shownIdentity(stage, identityId)?.contacts ?? [];
    return contacts.some(({ verified }) => verified) ? [] : [`the contact ${value} is not verified any more`];
  });

const unlikeLogs = ({ stage, ledger }: Suspect): string[] =>
  [...ledger.identities].flatMap((identityId) => {
    if (ledger.ended.has(identityId)) return [];
    const shown = (shownIdentity(stage, identityId)?.evidences ?? []).map(({ evidenceId }) => evidenceId);
    const mine = ledger.accepted.filter((one) => one.identityId === identityId).map(({ evidenceId }) => evidenceId);
    const known = new Set(mine);
    return [
      ...shown.filter((id) => !known.has(id)).map((id) => `evidence ${id} was never answered`),
      ...shown.filter((id) => ledger.deleted.has(id)).map((id) => `evidence ${id} was deleted and is shown`),
      ...mine.filter((id) => !ledger.deleted.has(id) && !shown.includes(id)).map((id) => `evidence ${id} is not shown`),
    ];
  });
