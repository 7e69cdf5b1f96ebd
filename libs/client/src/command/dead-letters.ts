import type { Command } from 'commander';
import type { ReplyOf } from '../api/connection.ts';
import { callSuite, listIn, type Members } from './call.ts';
import { wholeNumber } from './numbers.ts';
import { printJson } from './print.ts';
import { findSuite, type Suite, type SuiteOptions } from './suite.ts';

const limitOf = wholeNumber('--limit', 1, 999_999);

type Queues = ReplyOf<'listDeadLetters'>;

interface Limited {
  limit?: number;
}

/** As many as a suite replays while the command waits for one answer. */
const REPLAYED_BY_A_CALL = 1000;

type Call = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, members: Members<T>, body?: unknown) => Promise<T>;

const PATH = '/admin/v1/dead-letters';
const pathOf = (queue: string): string => `/${encodeURIComponent(queue)}`;

/** `assay dead-letters replay`. */
const addReplayCommand = (commands: Command, call: Call, suite: () => Suite): void => {
  /** Counted before: one that fails again and comes back is not replayed once more. */
  const countOf = async (queue: string): Promise<number> => {
    const { items } = await call<Queues>('GET', '', ['items']);
    const queues = listIn<Queues['items'][number]>(suite(), PATH, items, ['queue', 'count']);
    return queues.find((one) => one.queue === queue.replace(/\.dead$/, ''))?.count ?? 1;
  };
  /** Replays up to `most`, and reports how many after each call. */
  const replay = async (queue: string, most: number, report: (replayed: number) => void): Promise<void> => {
    let [left, limit, replayed] = [most, 0, 0];
    while (left > 0 && replayed === limit) {
      limit = Math.min(left, REPLAYED_BY_A_CALL);
      ({ replayed } = await call<{ replayed: number }>('POST', `${pathOf(queue)}/replay`, ['replayed'], { limit }));
      left -= replayed;
      report(most - left);
    }
  };
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
};

/**
 * `assay dead-letters`: what queues gave up, on the command line. Everything is printed as JSON.
 */
export const addDeadLetterCommands = (program: Command): void => {
  const suite = (): Suite => findSuite(program.opts<SuiteOptions>());
  const call: Call = async (method, path, members, body) => callSuite(suite(), method, `${PATH}${path}`, body, members);
  const commands = program.command('dead-letters').description('messages that were given up');
  commands
    .command('list')
    .description('list the queues that have dead letters')
    .action(async () => printJson(await call<Queues>('GET', '', ['items'])));
  commands
    .command('show')
    .description('show the oldest dead letters of a queue, without their data')
    .argument('<queue>')
    .option('--limit <number>', 'how many', limitOf)
    .action(async (queue: string, { limit }: Limited) => {
      const query = limit === undefined ? '' : `?limit=${limit}`;
      printJson(await call<ReplyOf<'showDeadLetters'>>('GET', `${pathOf(queue)}${query}`, ['items']));
    });
  addReplayCommand(commands, call, suite);
  commands
    .command('remove')
    .description('delete all dead letters of a queue')
    .argument('<queue>')
    .action(async (queue: string) => printJson(await call<{ removed: number }>('DELETE', pathOf(queue), ['removed'])));
};
