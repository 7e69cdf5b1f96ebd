type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

declare global {
  interface Window {
    /** What a page stores whose browser stores nothing; its scripts share it. */
    assayStored?: Record<'tab' | 'browser', Map<string, string>>;
  }
}

const inMemory = (area: 'tab' | 'browser'): Store => {
  window.assayStored ??= { tab: new Map(), browser: new Map() };
  const values = window.assayStored[area];
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
};

/**
 * What the browser stores for a tab, and for all tabs. A browser whose person blocks cookies throws
 * at every access, also in a frame of another site: then it is stored until the page is left.
 */
export const tabStore: Store = navigator.cookieEnabled ? sessionStorage : inMemory('tab');
export const browserStore: Store = navigator.cookieEnabled ? localStorage : inMemory('browser');
