import { HOOKS, type Webhook } from './suite/outsiders.ts';
import { notDeleted, type Suspect, shownEvidence } from './suspect.ts';

const STABLE = ['VERIFIED', 'NOT_VERIFIED', 'INVALID'];

/** The webhooks that announce an evidence for the first time. */
export const creationsOf = ({ outsiders }: Suspect, evidenceId: string): Webhook[] =>
  outsiders.webhooks.filter(
    ({ body }) => body.evidence?.evidenceId === evidenceId && body.evidence.evidenceOperation === 'CREATED',
  );

/** Everything that was accepted becomes stable and is announced. */
export const unannounced = (suspect: Suspect): string[] =>
  notDeleted(suspect).flatMap(({ identityId, evidenceId, isFile }) => {
    const status = shownEvidence(suspect.stage, identityId, evidenceId)?.status ?? 'nowhere';
    if (!STABLE.includes(status)) return [`evidence ${evidenceId} is ${status}`];
    return isFile || creationsOf(suspect, evidenceId).length > 0 ? [] : [`evidence ${evidenceId} was not announced`];
  });

/** The ids of the webhooks that announce the end of an identity by time. */
export const timeoutsOf = ({ outsiders }: Suspect, identityId: string): Set<string> =>
  new Set(
    outsiders.webhooks
      .filter(({ body }) => body.identityId === identityId && body.identityStatus === 'TIMEOUT')
      .map(({ webhookId }) => webhookId),
  );

/** Every timeout is announced. */
export const unannouncedEnds = (suspect: Suspect): string[] =>
  [...suspect.ledger.timedOut]
    .filter((identityId) => timeoutsOf(suspect, identityId).size === 0)
    .map((identityId) => `the timeout of ${identityId} was not announced`);

/** Invariant 4: the gateway already shows what a webhook announces. */
export const runsAhead = ({ stage, ledger }: Suspect, { body }: Webhook): string[] => {
  const { identityId, evidence } = body;
  if (!evidence || evidence.evidenceOperation === 'DELETED') return [];
  if (ledger.ended.has(identityId) || ledger.deleted.has(evidence.evidenceId)) return [];
  // A proof that is being retrieved, or an expiry, may have ended the identity already.
  if (ledger.proofs.has(identityId) || ledger.brief.has(identityId)) return [];
  const status = shownEvidence(stage, identityId, evidence.evidenceId)?.status ?? 'nowhere';
  return STABLE.includes(status) ? [] : [`${evidence.evidenceId} was announced while it is ${status}`];
};

/** By then an attempt that had begun before the webhook moved has ended. */
const ON_ITS_WAY_MS = 60_000;

/** A webhook that was moved no longer arrives where it was. */
export const misdirected = ({ stage, outsiders }: Suspect, { url, webhookId }: Webhook): string[] => {
  const { hook } = outsiders;
  const isFormer = (HOOKS as readonly string[]).includes(url) && url !== hook.url;
  return isFormer && stage.world.now() - hook.since > ON_ITS_WAY_MS ? [`${webhookId} arrived at a former address`] : [];
};
