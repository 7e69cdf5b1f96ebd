import { useEffect, useState } from 'preact/hooks';

/** Calls again, so that what is shown about time stays true. */
export const useTick = (everyMs: number): void => {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
};
