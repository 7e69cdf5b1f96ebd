import { Command, CommanderError } from 'commander';
import { AssayRefusal } from '../api/client.ts';
import { UnusableInput } from '../proof/report.ts';
import { addAdministrationCommands } from './administration.ts';
import { addAuditCommands } from './audit.ts';
import { addJudgementCommands } from './judgement.ts';
import { addProofCommands } from './proof.ts';

/** What a command leaves behind for the caller: 0 good, 1 refused or failed with reasons, 2 unusable input. */
export interface Outcome {
  exitCode: number;
}

const UNUSABLE = 2;
const KEY_HINT = "give an administrator's key: --key, ASSAY_KEY, or that of the suite in .run/stack.json";

/** The `assay` command. Returns the exit code. */
export const main = async (argv: readonly string[]): Promise<number> => {
  const outcome: Outcome = { exitCode: 0 };
  const program = new Command('assay')
    .description('Identity proofing from the command line')
    .option('--url <url>', 'base address of the suite (ASSAY_URL; else .run/stack.json)')
    .option('--key <apikey>', 'API key (ASSAY_KEY; else .run/stack.json)')
    .option('--prefix <segment>', 'first path segment of the API (ASSAY_PREFIX)')
    .addHelpText(
      'after',
      '\nExit codes: 0 good or done; 1 refused, or something differs, with reasons; 2 unusable input or a refused call.',
    )
    .exitOverride()
    .showHelpAfterError();
  addProofCommands(program, outcome);
  addJudgementCommands(program, outcome);
  addAuditCommands(program, outcome);
  addAdministrationCommands(program);
  try {
    await program.parseAsync([...argv]);
    return outcome.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : UNUSABLE;
    if (!(error instanceof UnusableInput || error instanceof AssayRefusal)) throw error;
    process.stderr.write(`${error instanceof AssayRefusal ? refusalText(error) : error.message}\n`);
    return UNUSABLE;
  }
};

const refusalText = ({ status, errors }: AssayRefusal): string =>
  [
    `refused with ${status}`,
    ...errors.map(({ code, field, message }) => [code, field, message].filter(Boolean).join(' ')),
    ...(status === 401 || status === 403 ? [KEY_HINT] : []),
  ].join('\n');
