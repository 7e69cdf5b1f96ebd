import { Exact, OneOf } from '@assay/contracts';
import { type Static, Type } from 'typebox';

export const MODES = ['ok', 'outage', 'slow', 'malformed', 'late'] as const;
type SimulatedMode = (typeof MODES)[number];

/**
 * Body of PUT /behaviour. `wrong` makes late answers say the opposite of the truth: whoever takes
 * one is found out. A misspelt member is refused: the source would behave otherwise than was meant.
 */
export const BehaviourSchema = Exact({
  mode: OneOf(MODES),
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  delayMs: Type.Optional(Type.Number({ minimum: 0, maximum: 600_000 })),
  wrong: Type.Optional(Type.Boolean()),
  /** Only questions about these jurisdictions are treated so. */
  jurisdictions: Type.Optional(Type.Array(Type.String())),
});
export type Behaviour = Static<typeof BehaviourSchema>;

/**
 * How one question is treated. `nth` counts the treated ones: a source's trouble takes one form
 * after another.
 */
export interface Treatment {
  mode: SimulatedMode;
  delayMs: number;
  nth: number;
  wrong: boolean;
}

const DELAYS: Readonly<Record<SimulatedMode, number>> = { ok: 0, outage: 0, slow: 2000, malformed: 0, late: 30_000 };
const OK: Treatment = { mode: 'ok', delayMs: 0, nth: 0, wrong: false };

export interface BehaviourSwitch {
  set(behaviour: Behaviour): void;
  /** What was set last. */
  current(): Behaviour;
  next(jurisdiction: string | undefined): Treatment;
}

/** Treats exactly the share `rate` of the questions, spread evenly: every fifth at 0.2. */
export const createBehaviour = (): BehaviourSwitch => {
  let behaviour: Behaviour = { mode: 'ok' };
  let share = 0;
  let nth = 0;
  return {
    set: (next) => {
      behaviour = next;
      share = 0;
    },
    current: () => behaviour,
    next: (jurisdiction) => {
      const { mode, rate = 1, delayMs, wrong = false, jurisdictions } = behaviour;
      if (mode === 'ok' || (jurisdictions && !jurisdictions.includes(jurisdiction ?? ''))) return OK;
      share += rate;
      // A hair less than 1: ten times 0.1 is not quite 1.
      if (share < 1 - 1e-9) return OK;
      share -= 1;
      nth += 1;
      return { mode, delayMs: delayMs ?? DELAYS[mode], nth, wrong };
    },
  };
};
