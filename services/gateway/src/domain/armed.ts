import { type IdentityOperationName, type SandboxPlay, sandboxKindOf } from '@assay/contracts';
import type { ArmedPlay, Identity, Reservation } from './identity.ts';

type Armed = Pick<Identity, 'armed'>;

const playOnly = ({ leftBy: _who, ...play }: ArmedPlay): SandboxPlay => play;

/** The outcome that the next submission of this operation gets. */
export const armedFor = ({ armed }: Armed, operation: IdentityOperationName): SandboxPlay | undefined => {
  const kind = sandboxKindOf(operation);
  const found = kind && armed?.[kind];
  return found && playOnly(found);
};

/** The outcomes that stay armed after a submission used its own. */
export const armedWithout = ({ armed }: Armed, operation: IdentityOperationName): Armed => {
  const kind = sandboxKindOf(operation);
  if (!kind || !armed?.[kind]) return {};
  const { [kind]: _taken, ...others } = armed;
  return { armed: others };
};

/** A refused submission returns its outcome, unless another one was armed since. */
export const rearmed = (
  { armed }: Armed,
  { operation, play }: { operation: IdentityOperationName; play?: SandboxPlay },
): Armed => {
  const kind = sandboxKindOf(operation);
  return play && kind ? { armed: { [kind]: play, ...armed } } : {};
};

/**
 * Submissions that never arrived return their outcomes, for their repeat or for the next of their
 * kind, unless another one was armed since.
 */
export const leftArmed = ({ armed }: Armed, reservations: readonly Reservation[]): Armed => {
  const left = reservations.flatMap(({ evidenceId, operation, play }) => {
    const kind = sandboxKindOf(operation);
    return play && kind ? [[kind, { ...play, leftBy: evidenceId }] as const] : [];
  });
  return left.length === 0 ? {} : { armed: { ...Object.fromEntries(left), ...armed } };
};

/** A submission arrives after it was given up: it takes its outcome again. */
export const takenLate = (
  identity: Armed,
  { evidenceId, operation }: { evidenceId: string; operation: IdentityOperationName },
): Armed & { play?: SandboxPlay } => {
  const kind = sandboxKindOf(operation);
  const left = kind && identity.armed?.[kind];
  return left?.leftBy === evidenceId ? { play: playOnly(left), ...armedWithout(identity, operation) } : {};
};
