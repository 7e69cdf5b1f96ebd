import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { UnusableInput } from '../proof/report.ts';
import { printAside, printJson } from './print.ts';

const WAIT_MS = 2000;

interface MasterKeys {
  remaining: number;
  rotated?: boolean;
}

/** `assay keys master` and `assay keys rotate-master`. */
export const addMasterKeyCommands = (
  keys: Command,
  call: <T>(method: 'GET' | 'POST', path: string) => Promise<T>,
): void => {
  keys
    .command('master')
    .description('list the master keys, and how many keys of identities each wraps')
    .action(async () => printJson(await call('GET', '/master-keys')));
  keys
    .command('rotate-master')
    .description('put the next master key in force; keys of identities are wrapped anew in the background')
    .option('--wait', 'wait until all keys are wrapped anew')
    .action(async ({ wait = false }: { wait?: boolean }) => {
      let status = await call<MasterKeys>('POST', '/master-keys/rotations');
      if (status.rotated === false)
        throw new UnusableInput('there is no further master key: add one first (docs/runbooks/key-rotation.md)');
      while (wait && status.remaining > 0) {
        printAside(`${status.remaining} to go`);
        await pause(WAIT_MS);
        status = await call<MasterKeys>('GET', '/master-keys');
      }
      printJson(status);
    });
};
