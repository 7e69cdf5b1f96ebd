/** The result of a check of this process; the names of checks are in the contracts. */
export interface ProcessFinding {
  check: string;
  status: 'OK' | 'UNKNOWN' | 'WARNING' | 'PROBLEM';
  message: string;
}

/** Makes the check when it is called. */
export type Examine = () => Promise<ProcessFinding[]> | ProcessFinding[];

const examinations = new Map<string, Examine>();

/**
 * Registers the examination of one part of this process: connections, keys, the process itself. One
 * of the same name replaces a former one. Returns a function that removes it.
 */
export const examineWith = (name: string, examine: Examine): (() => void) => {
  examinations.set(name, examine);
  return () => {
    if (examinations.get(name) === examine) examinations.delete(name);
  };
};

/**
 * Examines every part, in parallel. A part that fails is left out and does not affect the others.
 */
export const examineProcess = async (): Promise<ProcessFinding[]> => {
  const found = await Promise.allSettled([...examinations.values()].map(async (examine) => examine()));
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};
