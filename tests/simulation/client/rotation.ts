import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import type { RunKeys } from '../suite/master-keys.ts';
import type { ClientCall } from './call.ts';

/** When the master key is rotated, each time in milliseconds after the time before. */
export type Rotations = number[];

export const rotationsOf = (random: Random): Rotations =>
  Array.from({ length: random.between(1, 2) }, () => random.next() * 20_000);

/** Rotates the master key while clients work. */
export const rotate = async (call: ClientCall, keys: RunKeys, rotations: Rotations): Promise<void> => {
  for (const afterMs of rotations) {
    await pause(afterMs);
    keys.add();
    await call('POST', '/admin/v1/master-keys/rotations');
  }
};
