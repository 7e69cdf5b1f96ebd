import type { Command } from 'commander';
import { callSuite } from './call.ts';
import { wholeNumber } from './numbers.ts';
import { printJson } from './print.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

const limitOf = wholeNumber('--limit', 1, 999_999);

interface Limited {
  limit?: number;
}

/**
 * `assay dead-letters`: what queues gave up, on the command line. Everything is printed as JSON.
 */
export const addDeadLetterCommands = (program: Command): void => {
  const call = (method: 'GET' | 'POST' | 'DELETE', path = '', body?: unknown): Promise<unknown> => {
    const suite = findSuite(program.opts<SuiteOptions>());
    return callSuite(suite, suite.adminKey, method, `/admin/v1/dead-letters${path}`, body);
  };
  const pathOf = (queue: string): string => `/${encodeURIComponent(queue)}`;
  const commands = program.command('dead-letters').description('messages that were given up');
  commands
    .command('list')
    .description('list the queues that have dead letters')
    .action(async () => printJson(await call('GET')));
  commands
    .command('show')
    .description('show the oldest dead letters of a queue, without their data')
    .argument('<queue>')
    .option('--limit <number>', 'how many', limitOf)
    .action(async (queue: string, { limit }: Limited) =>
      printJson(await call('GET', `${pathOf(queue)}${limit === undefined ? '' : `?limit=${limit}`}`)),
    );
  commands
    .command('replay')
    .description('move dead letters back to their queue, the oldest first')
    .argument('<queue>')
    .option('--limit <number>', 'how many', limitOf)
    .action(async (queue: string, options: Limited) =>
      printJson(await call('POST', `${pathOf(queue)}/replay`, options)),
    );
  commands
    .command('remove')
    .description('delete all dead letters of a queue')
    .argument('<queue>')
    .action(async (queue: string) => printJson(await call('DELETE', pathOf(queue))));
};
