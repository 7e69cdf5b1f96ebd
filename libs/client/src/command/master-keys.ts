import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ReplyOf } from '../api/connection.ts';
import { UnusableInput } from '../proof/report.ts';
import type { Members } from './call.ts';
import { printAside, printJson } from './print.ts';

const WAIT_MS = 2000;

type MasterKeys = ReplyOf<'listMasterKeys'>;
type Rotation = ReplyOf<'rotateMasterKey'>;

/** `assay keys master` and `assay keys rotate-master`. */
export const addMasterKeyCommands = (
  keys: Command,
  call: <T>(method: 'GET' | 'POST', path: string, members: Members<T>) => Promise<T>,
): void => {
  keys
    .command('master')
    .description('list the master keys, and how many keys of identities each wraps')
    .action(async () => printJson(await call<MasterKeys>('GET', '/master-keys', ['remaining'])));
  keys
    .command('rotate-master')
    .description('put the next master key in force; keys of identities are wrapped anew in the background')
    .option('--wait', 'wait until all keys are wrapped anew')
    .action(async ({ wait = false }: { wait?: boolean }) => {
      const begun = await call<Rotation>('POST', '/master-keys/rotations', ['rotated', 'remaining']);
      // A repeat of a rotation whose wait was cut off goes on waiting.
      if (!begun.rotated && begun.remaining === 0)
        throw new UnusableInput('there is no further master key: add one first (docs/runbooks/key-rotation.md)');
      let status: MasterKeys = begun;
      while (wait && status.remaining > 0) {
        printAside(`${status.remaining} to go`);
        await pause(WAIT_MS);
        status = await call<MasterKeys>('GET', '/master-keys', ['remaining']);
      }
      printJson(status);
    });
};
