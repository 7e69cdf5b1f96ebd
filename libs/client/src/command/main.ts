import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { AssayRefusal, AssayTimeout, AssayUnreachable } from '../api/refusal.ts';
import { UnusableInput } from '../proof/report.ts';
import { oneLine } from '../unseen.ts';
import { addAdministrationCommands } from './administration.ts';
import { addAuditCommands } from './audit.ts';
import { addCaseCommands } from './cases.ts';
import type { CommandResult } from './command-result.ts';
import { addCompletionCommand } from './completion.ts';
import { addDeadLetterCommands } from './dead-letters.ts';
import { addDoctorCommand } from './doctor.ts';
import { refuseEmpty } from './empty.ts';
import { addIdentityCommands } from './identity.ts';
import { addLinkCommand } from './link.ts';
import { nextStep, START_ONE } from './next-step.ts';
import { letReadersLeave, printAside } from './print.ts';
import { addProofCommands } from './proof.ts';
import type { SuiteOptions } from './suite.ts';
import { addTrustCommands } from './trust.ts';
import { addWebhookCommands } from './webhooks.ts';

const UNUSABLE = 2;

/**
 * What is printed as JSON in any case: `--json` is taken all the same, so that it can be given
 * everywhere.
 */
const ALWAYS_JSON: readonly string[] = ['tenants', 'keys', 'people', 'dead-letters', 'trust'];
const takeJson = (program: Command): void => {
  for (const group of program.commands.filter((one) => ALWAYS_JSON.includes(one.name())))
    for (const command of group.commands) command.option('--json', 'print JSON; this is the default');
};

/** The whole command: what it can be asked, and what it leaves in `outcome`. */
export const programFor = (outcome: CommandResult): Command => {
  const program = new Command('assay')
    .description('Identity proofing from the command line')
    .version(manifest.version, '-V, --version', 'print the version')
    .option('--url <url>', 'base address of the suite (ASSAY_URL; else .run/stack.json)')
    .option('--key <apikey>', 'API key (ASSAY_KEY; else .run/stack.json)')
    .option('--prefix <segment>', 'first path segment of the API (ASSAY_PREFIX)')
    .addHelpText(
      'after',
      '\nExit codes: 0 good or done; 1 refused, or something differs, with reasons; 2 unusable input or a refused call.',
    )
    .exitOverride()
    .showHelpAfterError();
  addIdentityCommands(program);
  addLinkCommand(program);
  addProofCommands(program, outcome);
  addCaseCommands(program, outcome);
  addAuditCommands(program, outcome);
  addAdministrationCommands(program);
  addDeadLetterCommands(program);
  addDoctorCommand(program, outcome);
  addTrustCommands(program, outcome);
  addWebhookCommands(program);
  addCompletionCommand(program);
  takeJson(program);
  // The words that a shell wants completed may be empty.
  program.hook('preAction', (_, command) => (command.name() === 'completion' ? undefined : refuseEmpty(command)));
  return program;
};

/** The `assay` command. Returns the exit code. */
export const main = async (argv: readonly string[]): Promise<number> => {
  const outcome: CommandResult = { exitCode: 0 };
  letReadersLeave(UNUSABLE);
  const program = programFor(outcome);
  try {
    await program.parseAsync([...argv]);
    return outcome.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : UNUSABLE;
    const said = textOf(error, program.opts<SuiteOptions>().prefix ?? process.env.ASSAY_PREFIX);
    if (said === undefined) throw error;
    printAside(said);
    return UNUSABLE;
  }
};

/** The words for a failure that is no defect of the program: what happened, and what to do next. */
const textOf = (error: unknown, prefix: string | undefined): string | undefined => {
  if (error instanceof AssayRefusal) return refusalText(error, prefix);
  if (error instanceof AssayUnreachable) return `${error.message}\n${START_ONE}`;
  const isExplained = [UnusableInput, AssayTimeout].some((kind) => error instanceof kind);
  return isExplained ? (error as Error).message : undefined;
};

const refusalText = ({ status, errors, requestId }: AssayRefusal, prefix: string | undefined): string =>
  [
    `refused with ${status}${requestId ? ` (request ${requestId})` : ''}`,
    ...errors.map(({ code, field, message }) => [code, field, message].filter(Boolean).join(' ')),
    ...nextStep(status, errors[0], prefix),
  ]
    .map(oneLine)
    .join('\n');
