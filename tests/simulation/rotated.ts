import type { Suspect } from './suspect.ts';

/** After a rotation no former master key is needed: each key is wrapped by the newest. */
export const wrappedByFormer = ({ stage: { store, masterKeys } }: Suspect): string[] => {
  const newest = masterKeys.newest();
  return [...(store.databases.get('keys') ?? [])].flatMap(([name, documents]) => {
    const former = documents.all().filter(({ wrapped, keyId }) => wrapped !== undefined && keyId !== newest);
    return former.length > 0 ? [`${former.length} keys in keys.${name} are wrapped by a former master key`] : [];
  });
};
