import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { trustOf } from '../chip/trust.ts';
import { verifyProof } from '../proof/verify-proof.ts';
import { showProof } from '../show/show-proof.ts';
import type { CommandResult } from './command-result.ts';
import { readBytes, writePrivate } from './files.ts';
import { loadKeys } from './load-keys.ts';
import { print } from './print.ts';
import { reportText } from './report-text.ts';
import type { SuiteOptions } from './suite.ts';

interface VerifyFlags {
  jwks?: string;
  csca?: string[];
  json?: boolean;
}
interface ShowFlags {
  jwks?: string;
  json?: boolean;
  output?: string;
}

const CSCA_HELP =
  'verify the chips again: a master list, LDIF, certificate or revocation list; may be repeated, what others rest on first';

const another = (file: string, before: string[] = []): string[] => [...before, file];

/** Whom the user trusts for chips; undefined where no file was named. */
const trustIn = async (files: readonly string[] | undefined) =>
  files && trustOf(await Promise.all(files.map(async (name) => ({ name, bytes: await readBytes(name) }))));

/** Counts the files as they are read; only on a terminal, and never beside JSON. */
const progress = (wanted: boolean) => {
  const bar =
    wanted && process.stderr.isTTY
      ? new SingleBar({ format: 'reading {value} files', stream: process.stderr })
      : undefined;
  bar?.start(0, 0);
  return { onFile: () => bar?.increment(), stop: () => bar?.stop() };
};

/** `assay proof verify` and `assay proof show`. */
export const addProofCommands = (program: Command, outcome: CommandResult): void => {
  const proof = program.command('proof').description('proof archives, offline');
  proof
    .command('verify')
    .description('verify a proof: exit 0 good, 1 refused with reasons, 2 unusable input')
    .argument('<file>', 'the MIME envelope or the bare ZIP')
    .option('--jwks <url-or-file>', 'keys to verify with: JWKS, PEM or certificate; by default those of the suite')
    .option('--csca <file>', CSCA_HELP, another)
    .option('--json', 'print the report as JSON')
    .action(async (file: string, flags: VerifyFlags) => {
      const keys = await loadKeys(flags.jwks, program.opts<SuiteOptions>());
      const trust = await trustIn(flags.csca);
      const bar = progress(!flags.json);
      const report = await verifyProof(file, keys, { trust, onFile: bar.onFile }).finally(bar.stop);
      print(flags.json ? JSON.stringify(report, null, 2) : reportText(report));
      outcome.exitCode = report.ok ? 0 : 1;
    });
  proof
    .command('show')
    .description('render a proof as one HTML page with its images; says at the top whether it verifies')
    .argument('<file>', 'the MIME envelope or the bare ZIP')
    .option('--jwks <url-or-file>', 'keys to verify with; by default those of the suite')
    .option('-o, --output <file>', 'where to write the page; by default <file>.html')
    .option('--json', 'print the report as JSON, and where the page is')
    .action(async (file: string, flags: ShowFlags) => {
      const keys = await loadKeys(flags.jwks, program.opts<SuiteOptions>());
      const { html, report } = await showProof(file, keys);
      const output = flags.output ?? `${file}.html`;
      await writePrivate(output, html);
      print(flags.json ? JSON.stringify({ page: output, ...report }, null, 2) : output);
      outcome.exitCode = report.ok ? 0 : 1;
    });
};
