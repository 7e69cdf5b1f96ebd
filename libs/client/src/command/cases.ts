import type { Command } from 'commander';
import { UnusableInput } from '../proof/report.ts';
import { callSuite } from './call.ts';
import type { CommandResult } from './command-result.ts';
import { readJson } from './files.ts';
import { print, printJson } from './print.ts';
import { findSuite, type Suite, type SuiteOptions } from './suite.ts';

interface EvaluateFlags {
  policy: string;
  case?: string;
  json?: boolean;
}
interface Explanation {
  case: unknown;
  explanation: string | string[];
}
interface ReEvaluation {
  policy: { name: string; version: string };
}
interface Comparison {
  changes: string[];
  explanation: string | string[];
}

const lines = (text: string | readonly string[]): string => (typeof text === 'string' ? text : text.join('\n'));

/** A policy by its name, or the file that holds one. */
const policyOf = (nameOrFile: string): Promise<unknown> =>
  /[./\\]/.test(nameOrFile) ? readJson(nameOrFile) : Promise.resolve(nameOrFile);

/** `assay reevaluate`. */
const addReEvaluation = (program: Command, suite: () => Suite): void => {
  program
    .command('reevaluate')
    .description('evaluate running identities under another policy from now on; webhooks announce what changes')
    .argument('<identities...>', 'ids of open identities')
    .option('--policy <name>', "the name of a policy; by default their tenant's present one")
    .option('--json', 'print JSON')
    .action(async (identities: string[], { policy, json }: { policy?: string; json?: boolean }) => {
      const at = suite();
      const reevaluated: Record<string, ReEvaluation['policy']> = {};
      const all = async (): Promise<void> => {
        for (const id of identities) {
          const path = `/admin/v1/identities/${encodeURIComponent(id)}/re-evaluation`;
          const { policy: now } = await callSuite<ReEvaluation>(at, 'POST', path, policy ? { policy } : {}, ['policy']);
          reevaluated[id] = now;
          if (!json) print(`${id}\n  judged under ${now.name} ${now.version}`);
        }
      };
      // Also where a later one is refused: those before it are evaluated under another policy now.
      await all().finally(() => json && Object.keys(reevaluated).length > 0 && printJson(reevaluated));
    });
};

/**
 * `assay explain`, `assay evaluate` and `assay reevaluate`: through the administration interface,
 * or the operators' where that is the key.
 */
export const addCaseCommands = (program: Command, outcome: CommandResult): void => {
  const suite = () => findSuite(program.opts<SuiteOptions>());
  program
    .command('explain')
    .description('explain why the level of assurance of an identity is what it is')
    .argument('<identity>', 'id of an open identity')
    .option(
      '--json',
      'print the case, its evaluation and the explanation as JSON; the case can be kept for `evaluate --case`',
    )
    .action(async (identity: string, flags: { json?: boolean }) => {
      const at = suite();
      const path = `/admin/v1/identities/${encodeURIComponent(identity)}/explanation`;
      const found = await callSuite<Explanation>(at, 'GET', path, undefined, ['explanation']);
      print(flags.json ? JSON.stringify(found, null, 2) : lines(found.explanation));
    });
  program
    .command('evaluate')
    .description('say what would change under another policy: exit 0 nothing, 1 something')
    .argument('[identities...]', 'ids of open identities')
    .requiredOption('--policy <file>', 'a policy file, or the name of a policy')
    .option('--case <file>', 'an exported case instead (from `explain --json`)')
    .option('--json', 'print the comparisons as JSON')
    .action(async (identities: string[], flags: EvaluateFlags) => {
      if (identities.length === 0 && !flags.case)
        throw new UnusableInput('nothing to evaluate: name identities or --case');
      const at = suite();
      const policy = await policyOf(flags.policy);
      const compared: [string, Comparison][] = [];
      if (flags.case) {
        const exported = await readJson<Partial<Explanation> | null>(flags.case);
        const body = { case: exported?.case ?? exported, policy };
        compared.push([flags.case, await callSuite(at, 'POST', '/admin/v1/evaluations', body, ['changes'])]);
      }
      for (const id of identities) {
        const path = `/admin/v1/identities/${encodeURIComponent(id)}/evaluation`;
        compared.push([id, await callSuite(at, 'POST', path, { policy }, ['changes'])]);
      }
      if (flags.json) print(JSON.stringify(Object.fromEntries(compared), null, 2));
      else
        for (const [id, { changes }] of compared)
          print([id, ...(changes.length > 0 ? changes : ['nothing changes'])].join('\n  '));
      outcome.exitCode = compared.some(([, { changes }]) => changes.length > 0) ? 1 : 0;
    });
  addReEvaluation(program, suite);
};
