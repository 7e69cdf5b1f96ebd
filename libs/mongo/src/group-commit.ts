/** The result of one item of a group. */
export type Outcome<R> = { readonly value: R } | { readonly error: unknown };

export interface GroupCommitOptions<T, R> {
  /**
   * Handles several items with one command and returns the result of each, in order. If it throws,
   * that is the result of all of them.
   */
  work: (items: readonly T[]) => Promise<readonly Outcome<R>[]>;
  /** The most items of one command. */
  most: number;
  /** The most commands at the same time, so that a slow one does not stop everything. */
  atOnce?: number;
}

interface Waiting<T, R> {
  item: T;
  resolve: (value: R) => void;
  reject: (error: unknown) => void;
}

const AT_ONCE = 2;

/**
 * Does together what many ask for at the same time. An item goes out with all others of the same
 * turn of the event loop, or, while commands are under way, with those that come until one of them
 * ends: a single item waits for nobody, and the busier the process, the larger the groups. Each
 * caller hears what came of its own item, and nobody hears of a command that was sent before it
 * asked.
 */
export const createGroupCommit = <T, R>({ work, most, atOnce = AT_ONCE }: GroupCommitOptions<T, R>) => {
  const waiting: Waiting<T, R>[] = [];
  let underWay = 0;
  let isAsked = false;

  const report = (group: readonly Waiting<T, R>[], outcomes: readonly Outcome<R>[]): void =>
    group.forEach(({ resolve, reject }, at) => {
      const outcome = outcomes[at];
      if (outcome && 'value' in outcome) resolve(outcome.value);
      else reject(outcome ? outcome.error : new Error('nothing is known of this item'));
    });

  const send = (group: readonly Waiting<T, R>[]): Promise<void> =>
    work(group.map(({ item }) => item)).then(
      (outcomes) => report(group, outcomes),
      (error: unknown) => {
        for (const { reject } of group) reject(error);
      },
    );

  const begin = (): void => {
    isAsked = false;
    while (underWay < atOnce && waiting.length > 0) {
      underWay += 1;
      void send(waiting.splice(0, most)).then(() => {
        underWay -= 1;
        soon();
      });
    }
  };
  /** Items that arrive while the process reads its sockets join the group. */
  const soon = (): void => {
    if (isAsked || underWay >= atOnce || waiting.length === 0) return;
    isAsked = true;
    setImmediate(begin);
  };

  return (item: T): Promise<R> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      soon();
    });
};
