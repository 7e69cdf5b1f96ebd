/**
 * What a check of this process came to, for its fitness for production; the names of checks are
 * agreed on in the contracts.
 */
export interface ProcessFinding {
  check: string;
  status: 'OK' | 'UNKNOWN' | 'WARNING' | 'PROBLEM';
  message: string;
}

/** Looks when it is asked. */
export type Examine = () => Promise<ProcessFinding[]> | ProcessFinding[];

const examinations = new Map<string, Examine>();

/**
 * Has one part of this process examined whenever somebody asks for its fitness for production:
 * connections, keys, the process itself. One of the same name takes the place of a former one.
 * Returns the function that ends it.
 */
export const examineWith = (name: string, examine: Examine): (() => void) => {
  examinations.set(name, examine);
  return () => {
    if (examinations.get(name) === examine) examinations.delete(name);
  };
};

/**
 * Asks every part, side by side; a part that cannot tell fails none of the others and is missing.
 */
export const examineProcess = async (): Promise<ProcessFinding[]> => {
  const found = await Promise.allSettled([...examinations.values()].map(async (examine) => examine()));
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};
