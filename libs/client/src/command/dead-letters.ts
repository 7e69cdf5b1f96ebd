import type { Command } from 'commander';
import { callSuite } from './call.ts';
import { wholeNumber } from './numbers.ts';
import { printJson } from './print.ts';
import { findSuite, type SuiteOptions } from './suite.ts';

const limitOf = wholeNumber('--limit', 1, 999_999);

interface Limited {
  limit?: number;
}

/** As many as a suite replays while the command waits for one answer. */
const REPLAYED_BY_A_CALL = 1000;

/**
 * `assay dead-letters`: what queues gave up, on the command line. Everything is printed as JSON.
 */
export const addDeadLetterCommands = (program: Command): void => {
  const call = (method: 'GET' | 'POST' | 'DELETE', path = '', body?: unknown): Promise<unknown> => {
    const suite = findSuite(program.opts<SuiteOptions>());
    return callSuite(suite, method, `/admin/v1/dead-letters${path}`, body);
  };
  const pathOf = (queue: string): string => `/${encodeURIComponent(queue)}`;
  /** Counted before: one that fails again and comes back is not replayed once more. */
  const countOf = async (queue: string): Promise<number> => {
    const { items } = (await call('GET')) as { items: { queue: string; count: number }[] };
    return items.find((one) => one.queue === queue.replace(/\.dead$/, ''))?.count ?? 1;
  };
  const replay = async (queue: string, most: number): Promise<number> => {
    const limit = Math.min(most, REPLAYED_BY_A_CALL);
    const { replayed } = (await call('POST', `${pathOf(queue)}/replay`, { limit })) as { replayed: number };
    return replayed < limit || replayed === most ? replayed : replayed + (await replay(queue, most - replayed));
  };
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
    .action(async (queue: string, { limit = Number.POSITIVE_INFINITY }: Limited) =>
      printJson({ replayed: await replay(queue, Math.min(limit, await countOf(queue))) }),
    );
  commands
    .command('remove')
    .description('delete all dead letters of a queue')
    .argument('<queue>')
    .action(async (queue: string) => printJson(await call('DELETE', pathOf(queue))));
};
