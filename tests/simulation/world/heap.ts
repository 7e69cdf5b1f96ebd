/** Future events, the earliest first. Of two events at one time, the one that was added first. */
export interface Heap<T> {
  push(at: number, value: T): void;
  pop(): { at: number; value: T } | undefined;
  /** When the next event is due. */
  nextAt(): number | undefined;
  size(): number;
}

interface Entry<T> {
  at: number;
  order: number;
  value: T;
}

const isBefore = <T>(a: Entry<T>, b: Entry<T>): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

export const createHeap = <T>(): Heap<T> => {
  const entries: Entry<T>[] = [];
  let order = 0;
  const swap = (a: number, b: number): void => {
    const [first, second] = [entries[a], entries[b]];
    if (!first || !second) return;
    entries[a] = second;
    entries[b] = first;
  };
  const isAhead = (a: number, b: number): boolean => {
    const [first, second] = [entries[a], entries[b]];
    return first !== undefined && second !== undefined && isBefore(first, second);
  };
  const rise = (from: number): void => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isAhead(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const child = right < entries.length && isAhead(right, left) ? right : left;
      if (child >= entries.length || !isAhead(child, at)) return;
      swap(at, child);
      at = child;
    }
  };
  return {
    push: (at, value) => {
      entries.push({ at, order: order++, value });
      rise(entries.length - 1);
    },
    pop: () => {
      const [first] = entries;
      const last = entries.pop();
      if (!first || !last) return undefined;
      if (entries.length > 0) {
        entries[0] = last;
        sink();
      }
      return { at: first.at, value: first.value };
    },
    nextAt: () => entries[0]?.at,
    size: () => entries.length,
  };
};
