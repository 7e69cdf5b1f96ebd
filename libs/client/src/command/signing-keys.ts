import type { Command } from 'commander';
import { printJson } from './print.ts';

/** `assay keys signing` and `assay keys rotate-signing`. */
export const addSigningKeyCommands = (
  keys: Command,
  call: <T>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<T>,
): void => {
  keys
    .command('signing')
    .description('list the keys that sign proofs, and say which signs now')
    .action(async () => printJson(await call('GET', '/signing-keys')));
  keys
    .command('rotate-signing')
    .description('create the next signing key; it is published for a while before it signs')
    .option('--at-once', 'after a leak: the new key signs at once, and no former key signs again')
    .action(async ({ atOnce = false }: { atOnce?: boolean }) =>
      printJson(await call('POST', '/signing-keys/rotations', { atOnce })),
    );
};
