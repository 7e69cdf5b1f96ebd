import type { Random } from '../../faults/random.ts';
import type { Outsiders } from '../suite/outsiders.ts';
import type { createCall } from './call.ts';
import type { Ledger } from './ledger.ts';

/** What a client needs on its way. */
export interface Travelling {
  call: ReturnType<typeof createCall>;
  /** Repeats without growing pauses, and expects what a proof refuses. */
  callInHurry: ReturnType<typeof createCall>;
  /** Calls as the administrator. */
  asAdministrator: ReturnType<typeof createCall>;
  ledger: Ledger;
  outsiders: Outsiders;
  random: Random;
}
