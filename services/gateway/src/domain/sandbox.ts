import { isIndicator, type SandboxPlay, sandboxOutcome, type VerificationSettings } from '@assay/contracts';
import { type ChangeResult, refuse } from './change.ts';
import type { Identity } from './identity.ts';
import type { EffectiveSettings } from './settings.ts';
import { restartedClock, whyNotAddable } from './transaction.ts';

/** Arms the outcome of the next submission of its kind. */
export const arm = (
  identity: Identity,
  play: SandboxPlay,
  { effective, now }: { effective: EffectiveSettings; now: Date },
): ChangeResult => {
  if (!effective.sandbox || !identity.settings.sandbox) return refuse('NO_SANDBOX');
  const refused = whyNotAddable(identity);
  if (refused) return refuse(refused);
  const outcome = sandboxOutcome(play.outcome);
  if (!outcome)
    return refuse(
      'BAD_FIELD',
      'outcome',
      'is none of the outcomes of GET sandbox/outcomes that are armed; those of codes are played by their data',
    );
  const unknown = (play.indicators ?? []).findIndex((one) => !isIndicator(one));
  if (unknown >= 0)
    return refuse('BAD_FIELD', `indicators[${unknown}]`, 'is none of the indicators of docs/indicators.md');
  const armed = { ...identity.armed, [outcome.kind]: play };
  return { set: { armed, ...restartedClock(effective.transactionLifetimeSeconds, now) }, events: [] };
};

/**
 * What a sandbox plays for the submission of an evidence; nothing outside of a sandbox, whatever is
 * stored.
 */
export const playOf = (
  { reservations, evidences }: Pick<Identity, 'reservations' | 'evidences'>,
  { sandbox }: EffectiveSettings,
  evidenceId: string | undefined,
): Pick<VerificationSettings, 'sandbox'> => {
  if (!sandbox) return {};
  const play = [...reservations, ...evidences].find((entry) => entry.evidenceId === evidenceId)?.play;
  return { sandbox: play ? { play } : {} };
};

/** The policy in the proof, with the note that it is from a sandbox. */
export const policyUsed = ({ settings: { policy, sandbox } }: Pick<Identity, 'settings'>): string =>
  `${policy.name} ${policy.version}${sandbox ? ' sandbox' : ''}`;
