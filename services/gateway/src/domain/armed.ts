import { type IdentityOperationName, type SandboxPlay, sandboxKindOf } from '@assay/contracts';
import type { ArmedPlay, Identity, Reservation } from './identity.ts';

type Armed = Pick<Identity, 'armed'>;

const playOnly = ({ leftBy: _who, ...play }: ArmedPlay): SandboxPlay => play;

/** What the next submission of this operation is to come to. */
export const armedFor = ({ armed }: Armed, operation: IdentityOperationName): SandboxPlay | undefined => {
  const kind = sandboxKindOf(operation);
  const found = kind && armed?.[kind];
  return found && playOnly(found);
};

/** What is armed still, once a submission has taken its own. */
export const armedWithout = ({ armed }: Armed, operation: IdentityOperationName): Armed => {
  const kind = sandboxKindOf(operation);
  if (!kind || !armed?.[kind]) return {};
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

/**
 * Submissions of which nothing more was heard leave what they had taken: to their repeat, or to the
 * next of their kind, unless another was armed since.
 */
export const leftArmed = ({ armed }: Armed, reservations: readonly Reservation[]): Armed => {
  const left = reservations.flatMap(({ evidenceId, operation, play }) => {
    const kind = sandboxKindOf(operation);
    return play && kind ? [[kind, { ...play, leftBy: evidenceId }] as const] : [];
  });
  return left.length === 0 ? {} : { armed: { ...Object.fromEntries(left), ...armed } };
};

/** A submission comes after all, long after it was given up: what it had taken is its own again. */
export const takenLate = (
  identity: Armed,
  { evidenceId, operation }: { evidenceId: string; operation: IdentityOperationName },
): Armed & { play?: SandboxPlay } => {
  const kind = sandboxKindOf(operation);
  const left = kind && identity.armed?.[kind];
  return left?.leftBy === evidenceId ? { play: playOnly(left), ...armedWithout(identity, operation) } : {};
};
