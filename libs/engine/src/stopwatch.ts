/** Runs one step and adds its milliseconds under the step's name. */
export type Time = <T>(step: string, work: () => Promise<T> | T) => Promise<T>;

export const stopwatch = (): { timings: Record<string, number>; time: Time } => {
  const timings: Record<string, number> = {};
  return {
    timings,
    time: async (step, work) => {
      const start = performance.now();
      const result = await work();
      timings[step] = (timings[step] ?? 0) + performance.now() - start;
      return result;
    },
  };
};
