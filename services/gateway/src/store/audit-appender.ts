import { setTimeout as pause } from 'node:timers/promises';
import { isDuplicateKey, TooManyConflicts } from '@assay/mongo';
import { pauseAfter } from '@assay/runtime';
import { type AuditContent, type AuditEntry, nextEntry } from '../domain/audit.ts';

/** An entry; with a mark where it is recorded only once. */
export type StoredEntry = AuditEntry & { once?: string };

export interface ChainStore {
  lastOf(chain: string): Promise<AuditEntry | null>;
  /** The entries of a chain with one of these marks. */
  marked(chain: string, marks: readonly string[]): Promise<StoredEntry[]>;
  /** Inserts in order. Stops at the first place that another process has taken. */
  insert(entries: readonly StoredEntry[]): Promise<void>;
  /** The entries that are in the chain as they are here. */
  among(entries: readonly StoredEntry[]): Promise<Set<string>>;
  /** The data of this entry alone. */
  seal(): { salt: string; at: string };
}

interface Waiting {
  content: AuditContent;
  once: string | undefined;
  resolve(entry: AuditEntry): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 500;
const BACKOFF = { firstMs: 5, longestMs: 500 };
const GIVEN_UP_AFTER_MS = 30_000;

/**
 * The entries for the waiting acts, in order. A mark that another entry of this round has is not
 * written twice.
 */
const chained = (chain: string, last: AuditEntry | null, waiting: readonly Waiting[], seal: ChainStore['seal']) => {
  let before = last ?? undefined;
  const made: { entry: StoredEntry; waiting: Waiting[] }[] = [];
  for (const one of waiting) {
    const same = one.once === undefined ? undefined : made.find(({ entry }) => entry.once === one.once);
    if (same) {
      same.waiting.push(one);
      continue;
    }
    const entry = nextEntry(chain, before, one.content, seal());
    made.push({ entry: one.once === undefined ? entry : { ...entry, once: one.once }, waiting: [one] });
    before = entry;
  }
  return made;
};

/**
 * One round: writes as many of the waiting acts as it can, and returns those whose places another
 * process took.
 */
const appendRound = async (store: ChainStore, chain: string, waiting: readonly Waiting[]): Promise<Waiting[]> => {
  const last = await store.lastOf(chain);
  // Marks are read after the end of the chain: a mark that is written later takes the place that is
  // tried here.
  const marks = waiting.flatMap(({ once }) => once ?? []);
  const marked = marks.length > 0 ? await store.marked(chain, marks) : [];
  const isRecorded = (one: Waiting) => marked.find(({ once }) => once !== undefined && once === one.once);
  for (const one of waiting) {
    const recorded = isRecorded(one);
    if (recorded) one.resolve(recorded);
  }
  const made = chained(
    chain,
    last,
    waiting.filter((one) => !isRecorded(one)),
    store.seal,
  );
  if (made.length === 0) return [];
  const entries = made.map(({ entry }) => entry);
  const written = await store.insert(entries).then(
    () => new Set(entries.map(({ hash }) => hash)),
    (error: unknown) => {
      if (isDuplicateKey(error)) return store.among(entries);
      throw error;
    },
  );
  for (const { entry, waiting: all } of made) if (written.has(entry.hash)) for (const one of all) one.resolve(entry);
  return made.filter(({ entry }) => !written.has(entry.hash)).flatMap(({ waiting: all }) => all);
};

/**
 * Appends to chains. In this process, one round at a time works on a chain and takes everything
 * that waits for it. Processes compete for the next place in the chain: one gets it, the others try
 * again with growing pauses.
 */
export const createAppender = (store: ChainStore) => {
  const queues = new Map<string, Waiting[]>();
  const running = new Map<string, Promise<void>>();

  const appendAll = async (chain: string, batch: Waiting[]): Promise<void> => {
    const deadline = performance.now() + GIVEN_UP_AFTER_MS;
    let waiting = batch;
    for (let attempt = 1; waiting.length > 0; attempt += 1) {
      waiting = await appendRound(store, chain, waiting);
      if (waiting.length > 0 && performance.now() > deadline) throw new TooManyConflicts('the audit chain is busy');
      if (waiting.length > 0) await pause(pauseAfter(attempt, BACKOFF) * Math.random());
    }
  };

  const run = async (chain: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, MOST_AT_ONCE);
      await appendAll(chain, batch).catch((error: unknown) => {
        // Those that were written are settled already: this changes nothing for them.
        for (const one of batch) one.reject(error);
      });
    }
    queues.delete(chain);
    running.delete(chain);
  };

  return {
    append: (chain: string, content: AuditContent, once?: string): Promise<AuditEntry> =>
      new Promise((resolve, reject) => {
        const queue = queues.get(chain) ?? [];
        queue.push({ content, once, resolve, reject });
        if (queues.has(chain)) return;
        queues.set(chain, queue);
        running.set(chain, run(chain, queue));
      }),

    /** Waits for what is being written. */
    close: async (): Promise<void> => {
      await Promise.allSettled(running.values());
    },
  };
};
