import { createLocalKeys, type KeyService, localKeyId } from '@assay/sealing';

/** The master key that the suite begins with, and those that take over one after the other. */
const MASTER_KEYS = [7, 8, 9].map((byte) => Buffer.alloc(32, byte));

/** The master keys of a run. */
export interface RunKeys {
  service: KeyService;
  /** Adds a further key, if one is left. The next rotation puts it in force. */
  add(): void;
  /** The id of the key that was added last. */
  newest(): string;
}

export const createRunKeys = (): RunKeys => {
  let added = 1;
  const newestFirst = () => MASTER_KEYS.slice(0, added).map(localKeyId).toReversed();
  return {
    service: { ...createLocalKeys(MASTER_KEYS), list: async () => newestFirst() },
    add: () => {
      added = Math.min(added + 1, MASTER_KEYS.length);
    },
    newest: () => newestFirst()[0]!,
  };
};
