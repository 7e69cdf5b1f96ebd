/**
 * The milliseconds of processor time that this process has used since the call. Limits of searches
 * count processor time: by the clock, a busy machine would read the same picture less well.
 */
export const processorTime = (): (() => number) => {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
};
