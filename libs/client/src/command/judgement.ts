import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { UnusableInput } from '../proof/report.ts';
import { callSuite } from './call.ts';
import type { Outcome } from './main.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

interface EvaluateFlags {
  policy: string;
  case?: string;
  json?: boolean;
}
interface Explanation {
  case: unknown;
  explanation: string | string[];
}
interface Comparison {
  changes: string[];
  explanation: string | string[];
}

const readJson = async (path: string): Promise<unknown> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnusableInput(`${path} cannot be read: ${error.code ?? 'error'}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableInput(`${path} is not JSON`);
  }
};

const lines = (text: string | readonly string[]): string => (typeof text === 'string' ? text : text.join('\n'));
const print = (text: string): unknown => process.stdout.write(`${text}\n`);

/** A policy by its name, or the file that holds one. */
const policyOf = (nameOrFile: string): Promise<unknown> =>
  /[./\\]/.test(nameOrFile) ? readJson(nameOrFile) : Promise.resolve(nameOrFile);

/** `assay explain` and `assay evaluate`: through the administration interface, or the operators' where that is the key. */
export const addJudgementCommands = (program: Command, outcome: Outcome): void => {
  const suite = () => findSuite(program.opts<SuiteOptions>());
  program
    .command('explain')
    .description('say in words why the level of assurance of an identity is what it is')
    .argument('<identity>', 'id of an open identity')
    .option(
      '--json',
      'print the case, its evaluation and the explanation as JSON; the case can be kept for `evaluate --case`',
    )
    .action(async (identity: string, flags: { json?: boolean }) => {
      const at = suite();
      const path = `/admin/v1/identities/${encodeURIComponent(identity)}/explanation`;
      const found = await callSuite<Explanation>(at, at.adminKey, 'GET', path);
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
        const exported = (await readJson(flags.case)) as Partial<Explanation>;
        const body = { case: exported.case ?? exported, policy };
        compared.push([flags.case, await callSuite(at, at.adminKey, 'POST', '/admin/v1/evaluations', body)]);
      }
      for (const id of identities) {
        const path = `/admin/v1/identities/${encodeURIComponent(id)}/evaluation`;
        compared.push([id, await callSuite(at, at.adminKey, 'POST', path, { policy })]);
      }
      if (flags.json) print(JSON.stringify(Object.fromEntries(compared), null, 2));
      else
        for (const [of, { changes }] of compared)
          print([of, ...(changes.length > 0 ? changes : ['nothing changes'])].join('\n  '));
      outcome.exitCode = compared.some(([, { changes }]) => changes.length > 0) ? 1 : 0;
    });
};
