import { tabStore } from './storage.ts';

interface Stored<T> {
  owner: string;
  /** By what it is about: whoever looks at something else in between finds both again. */
  byPlace?: Readonly<Record<string, T>>;
}

/**
 * What a person has chosen and written and not sent yet. It is kept in this tab, also where they
 * are signed out meanwhile: whoever signs in at their organisation leaves the page for it. Nothing
 * secret may be in it.
 */
export const createDrafts = <T>(name: string, ownerNow: () => string) => {
  const read = (): Stored<T> | undefined => {
    const stored = tabStore.getItem(name);
    return stored === null ? undefined : (JSON.parse(stored) as Stored<T>);
  };
  /** Those of this person alone. */
  const ofOwner = (): Readonly<Record<string, T>> => {
    const stored = read();
    return (stored?.owner === ownerNow() && stored.byPlace) || {};
  };
  const forgetAll = (): void => tabStore.removeItem(name);
  const write = (byPlace: Readonly<Record<string, T>>): void => {
    if (Object.keys(byPlace).length === 0) forgetAll();
    else tabStore.setItem(name, JSON.stringify({ owner: ownerNow(), byPlace } satisfies Stored<T>));
  };
  return {
    find: (place: string): T | undefined => ofOwner()[place],
    store: (place: string, draft: T): void => write({ ...ofOwner(), [place]: draft }),
    /** What is written there is done with. */
    forget: (place: string): void => {
      const { [place]: _done, ...others } = ofOwner();
      write(others);
    },
    forgetAll,
    /** Another person who signs in finds nothing of the former one. */
    forgetForeign: (): void => {
      if (read()?.owner !== ownerNow()) forgetAll();
    },
  };
};
