/** Runs work of one name one after another, in the order in which it came; other names do not wait. */
export type OneAtATime = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const ignore = (): void => undefined;

export const createOneAtATime = (): OneAtATime => {
  const ends = new Map<string, Promise<void>>();
  return (name, work) => {
    const result = (ends.get(name) ?? Promise.resolve()).then(work);
    const end = result.then(ignore, ignore);
    ends.set(name, end);
    void end.then(() => ends.get(name) === end && ends.delete(name));
    return result;
  };
};
