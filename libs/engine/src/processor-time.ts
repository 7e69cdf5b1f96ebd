/**
 * Milliseconds of processor time that this process has used since it was called. What a search may
 * cost is counted so: on a busy machine a clock runs out earlier, and the same picture would be
 * read less well.
 */
export const processorTime = (): (() => number) => {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
};
