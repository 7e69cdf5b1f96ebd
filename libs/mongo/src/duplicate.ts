/** True for a violated unique index: the document is there already. */
export const isDuplicateKey = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 11000;

/**
 * Whether a write stored its document; false if a unique index refused it because the document is
 * there already. Any other error of the write is thrown.
 */
export const unlessDuplicate = async (write: PromiseLike<unknown>): Promise<boolean> =>
  write.then(
    () => true,
    (error: unknown) => {
      if (isDuplicateKey(error)) return false;
      throw error;
    },
  );
