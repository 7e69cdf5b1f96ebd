import {
  type IdentityOperationName,
  type SandboxPlay,
  sandboxKindOf,
  sandboxOutcome,
  type VerificationSettings,
} from '@assay/contracts';
import { type ChangeResult, refuse } from './change.ts';
import type { Identity } from './identity.ts';
import type { EffectiveSettings } from './settings.ts';
import { restartedClock, whyNotAddable } from './transaction.ts';

type Armed = Pick<Identity, 'armed'>;

/** What the next submission of this operation is to come to. */
export const armedFor = ({ armed }: Armed, operation: IdentityOperationName): SandboxPlay | undefined => {
  const kind = sandboxKindOf(operation);
  return kind && armed?.[kind];
};

/** What is armed still, once a submission has taken its own. */
export const armedWithout = (
  { armed }: Armed,
  operation: IdentityOperationName,
  play: SandboxPlay | undefined,
): Armed => {
  const kind = sandboxKindOf(operation);
  if (!play || !kind || !armed?.[kind]) return {};
  const { [kind]: _taken, ...others } = armed;
  return { armed: others };
};

/** A submission that was refused gives back what it had taken, unless another was armed since. */
export const rearmed = (
  { armed }: Armed,
  { operation, play }: { operation: IdentityOperationName; play?: SandboxPlay },
): Armed => {
  const kind = sandboxKindOf(operation);
  return play && kind ? { armed: { [kind]: play, ...armed } } : {};
};

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
  const armed = { ...identity.armed, [outcome.kind]: play };
  return { set: { armed, ...restartedClock(effective.transactionLifetimeSeconds, now) }, events: [] };
};

/**
 * What of an evidence's submission a sandbox plays; nothing outside of a sandbox, whatever is
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

/** The policy a proof names, and that a sandbox made it. */
export const policyUsed = ({ settings: { policy, sandbox } }: Pick<Identity, 'settings'>): string =>
  `${policy.name} ${policy.version}${sandbox ? ' sandbox' : ''}`;
