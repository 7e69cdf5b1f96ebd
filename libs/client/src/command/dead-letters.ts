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
  const call = <T>(
    method: 'GET' | 'POST' | 'DELETE',
    path = '',
    body?: unknown,
    members: readonly (keyof T & string)[] = [],
  ): Promise<T> => {
    const suite = findSuite(program.opts<SuiteOptions>());
    return callSuite<T>(suite, method, `/admin/v1/dead-letters${path}`, body, members);
  };
  const pathOf = (queue: string): string => `/${encodeURIComponent(queue)}`;
  /** Counted before: one that fails again and comes back is not replayed once more. */
  const countOf = async (queue: string): Promise<number> => {
    const { items } = await call<{ items: { queue: string; count: number }[] }>('GET', '', undefined, ['items']);
    return items.find((one) => one.queue === queue.replace(/\.dead$/, ''))?.count ?? 1;
  };
  /** Replays up to `most`, and reports how many after each call. */
  const replay = async (queue: string, most: number, report: (replayed: number) => void): Promise<void> => {
    let [left, limit, replayed] = [most, 0, 0];
    while (left > 0 && replayed === limit) {
      limit = Math.min(left, REPLAYED_BY_A_CALL);
      ({ replayed } = await call<{ replayed: number }>('POST', `${pathOf(queue)}/replay`, { limit }, ['replayed']));
      left -= replayed;
      report(most - left);
    }
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
    .action(async (queue: string, { limit = Number.POSITIVE_INFINITY }: Limited) => {
      let replayed: number | undefined;
      const report = (now: number): void => {
        replayed = now;
      };
      // Also where a later call is refused: what was replayed before it is in the queue again.
      await replay(queue, Math.min(limit, await countOf(queue)), report).finally(
        () => replayed !== undefined && printJson({ replayed }),
      );
    });
  commands
    .command('remove')
    .description('delete all dead letters of a queue')
    .argument('<queue>')
    .action(async (queue: string) => printJson(await call('DELETE', pathOf(queue))));
};
