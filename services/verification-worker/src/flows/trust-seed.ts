import { existsSync, readFileSync } from 'node:fs';
import { type Clock, namingFile } from '@assay/runtime';
import type { ChipProcess } from '../clients/chip-process.ts';
import type { TrustStore } from '../store/trust.ts';

export interface Deps {
  trust: TrustStore;
  chipProcess: ChipProcess;
  now: Clock;
  /** A file of authorities that a new suite trusts; it may appear after the worker started. */
  trustSeedFile?: string;
}

/** Trusts the authorities of the seed, once: a store that was ever changed is left as it is. */
export const createTrustSeed = ({ trust, chipProcess, now, trustSeedFile }: Deps) => {
  let isDone = trustSeedFile === undefined;
  const take = async (file: string): Promise<void> => {
    const { version, data } = await trust.current();
    if (version > 0) return;
    const bytes = namingFile('TRUST_SEED_FILE', () => readFileSync(file));
    const { entries, fault } = await chipProcess.readTrustFile(bytes, data, now());
    if (fault) throw new Error(`the seed of the trust store (TRUST_SEED_FILE) is refused: ${fault}`);
    await trust.add(entries.map((entry) => ({ ...entry, source: 'seed', addedAt: now() })));
  };
  return {
    isDone: (): boolean => isDone,
    run: async (): Promise<void> => {
      if (isDone || trustSeedFile === undefined || !existsSync(trustSeedFile)) return;
      await take(trustSeedFile);
      isDone = true;
    },
  };
};
