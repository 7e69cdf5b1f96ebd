/** Something took longer than it may. */
export class Late extends Error {
  readonly code = 'TIMEOUT';
}

/**
 * The result of work that cannot be cancelled, and may never end: only the wait for it does, with
 * Late.
 */
export const unlessLate = <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late(`not done in ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
