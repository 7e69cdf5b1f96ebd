export interface RecentOptions {
  /** The most values that are cached; the oldest is dropped first. */
  most: number;
  /** How long a value is cached, in milliseconds. */
  forMs: number;
}

/** A cache of this process: values are at most as old as the given time. */
export interface Recent<V> {
  get(key: string): V | undefined;
  /**
   * `asOf`: when it was so, as `performance.now()` tells it; a value that was read counts from
   * before it was asked for.
   */
  set(key: string, value: V, asOf?: number): void;
  delete(key: string): void;
  clear(): void;
}

export const createRecent = <V>({ most, forMs }: RecentOptions): Recent<V> => {
  const entries = new Map<string, { value: V; until: number }>();
  return {
    get: (key) => {
      const found = entries.get(key);
      if (!found) return undefined;
      if (found.until > performance.now()) return found.value;
      entries.delete(key);
      return undefined;
    },
    set: (key, value, asOf = performance.now()) => {
      entries.delete(key);
      entries.set(key, { value, until: asOf + forMs });
      const [first] = entries.keys();
      if (entries.size > most && first !== undefined) entries.delete(first);
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
};
