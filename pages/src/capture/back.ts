import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const GUARD = 'assay';
const inner: (() => void)[] = [];

/** Where Back leads to while this is shown; of several, the one that was given last decides. */
export const useBackTo = (to: (() => void) | undefined): void => {
  const latest = useRef(to);
  latest.current = to;
  const given = to !== undefined;
  // With the screen, not after it was drawn: who presses Back at once means what is shown.
  useLayoutEffect(() => {
    if (!given) return;
    const back = (): void => latest.current?.();
    inner.push(back);
    return () => {
      inner.splice(inner.indexOf(back), 1);
    };
  }, [given]);
};

/**
 * While `active`, the browser's Back does not leave the page at once: it leads to the screen
 * before, where there is one, and is asked about where there is none. Pressed once more it leaves.
 */
export const useBackGuard = (active: boolean): { leaving: boolean; stay: () => void } => {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!active) return;
    if (history.state !== GUARD) history.pushState(GUARD, '');
    const popped = (): void => {
      const back = inner.at(-1);
      if (!back) {
        setLeaving(true);
        return;
      }
      history.pushState(GUARD, '');
      back();
    };
    addEventListener('popstate', popped);
    return () => removeEventListener('popstate', popped);
  }, [active]);
  const stay = (): void => {
    setLeaving(false);
    if (history.state !== GUARD) history.pushState(GUARD, '');
  };
  return { leaving, stay };
};
