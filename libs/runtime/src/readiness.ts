/** Why a part does not work. `isDependency`: it waits for a dependency and keeps trying. */
export interface Unready {
  reason: string;
  isDependency?: boolean;
}
/** Whether a part works; a note is information about a part that works. */
export type Readiness = true | { note: string } | Unready;
export type ReadinessCheck = () => Readiness;

export const isUnready = (readiness: Readiness): readiness is Unready => readiness !== true && 'reason' in readiness;

interface Watched {
  name: string;
  check: ReadinessCheck;
}

const watched = new Set<Watched>();

/**
 * Makes the readiness of the process depend on one part of it, by name, for as long as that part
 * runs. Consumers, relays and sweepers do it themselves. Returns the function that ends it.
 */
export const watchReadiness = (name: string, check: ReadinessCheck): (() => void) => {
  const entry = { name, check };
  watched.add(entry);
  return () => {
    watched.delete(entry);
  };
};

/**
 * Forgets all parts of this process: for a simulation, in which a process ends without closing
 * anything.
 */
export const forgetReadiness = (): void => watched.clear();

/**
 * The parts of this process that run now. Of two with one name the one that does not work counts.
 */
export const watchedReadiness = (): Map<string, Readiness> => {
  const parts = new Map<string, Readiness>();
  for (const { name, check } of watched) {
    const readiness = check();
    if (isUnready(readiness) || !parts.has(name)) parts.set(name, readiness);
  }
  return parts;
};

export interface Patience {
  /** How long a process may go without being ready, in milliseconds. */
  limitMs: number;
  /** From 0 to 1: spreads the exits of processes that failed at the same time. */
  random: number;
}

/**
 * A dependency that is away is tried again all the time; ending helps only where that got stuck, so
 * it gets this many times the limit.
 */
const DEPENDENCY_FACTOR = 10;
const SPREAD = 0.25;

/**
 * Decides when a process that is not ready should exit, to be restarted: after the limit, or after
 * ten times as long if only a dependency is missing. Called with the missing parts at each check;
 * returns true once the time is over.
 */
export const createPatience = ({ limitMs, random }: Patience) => {
  const limit = limitMs * (1 + SPREAD * random);
  let unreadySince: number | undefined;
  let faultySince: number | undefined;
  return (missing: readonly Unready[], now: number): boolean => {
    unreadySince = missing.length > 0 ? (unreadySince ?? now) : undefined;
    faultySince = missing.some(({ isDependency }) => !isDependency) ? (faultySince ?? now) : undefined;
    return (
      (faultySince !== undefined && now - faultySince >= limit) ||
      (unreadySince !== undefined && now - unreadySince >= limit * DEPENDENCY_FACTOR)
    );
  };
};
