import { browserStore } from '../design/storage.ts';

const TAB = 'assay.tab';

/**
 * This tab goes on with a check, and every other tab of this browser that had it is notified.
 * Returns what stops listening.
 */
export const takeOver = (identityId: string, onLeft: () => void): (() => void) => {
  const heard = ({ key, newValue }: StorageEvent): void => {
    if (key === TAB && newValue?.startsWith(`${identityId} `)) onLeft();
  };
  addEventListener('storage', heard);
  browserStore.setItem(TAB, `${identityId} ${Date.now()}-${Math.random()}`);
  return () => removeEventListener('storage', heard);
};
