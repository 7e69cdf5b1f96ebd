import type { Command } from 'commander';
import type { ReplyOf } from '../api/connection.ts';
import type { Members } from './call.ts';
import { printJson } from './print.ts';

type SigningKeys = ReplyOf<'listSigningKeys'>;

/** `assay keys signing` and `assay keys rotate-signing`. */
export const addSigningKeyCommands = (
  keys: Command,
  call: <T>(method: 'GET' | 'POST', path: string, members: Members<T>, body?: unknown) => Promise<T>,
): void => {
  keys
    .command('signing')
    .description('list the keys that sign proofs, and say which signs now')
    .action(async () => printJson(await call<SigningKeys>('GET', '/signing-keys', ['keys'])));
  keys
    .command('rotate-signing')
    .description('create the next signing key; it is published for a while before it signs')
    .option('--at-once', 'after a leak: the new key signs at once, and no former key signs again')
    .action(async ({ atOnce = false }: { atOnce?: boolean }) =>
      printJson(await call<SigningKeys>('POST', '/signing-keys/rotations', ['keys'], { atOnce })),
    );
};
