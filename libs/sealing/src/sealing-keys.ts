import { open, seal } from './sealing.ts';

/** The keys that a process seals with: the first one seals, each of them opens. */
export interface SealingKeys {
  seal(context: string, content: string | Buffer): string;
  /** @throws where none of the keys sealed it, or context or a single bit is another */
  open(context: string, sealed: string): Buffer;
  /** The same content under the first key; undefined where that sealed it already. */
  sealAnew(context: string, sealed: string): string | undefined;
}

/** What `key` sealed; undefined where another key did. */
const openedBy = (key: Buffer, context: string, sealed: string): Buffer | undefined => {
  try {
    return open(key, context, sealed);
  } catch {
    return undefined;
  }
};

/**
 * Sealing with a key that can be exchanged. `further`: keys that may have sealed stored content,
 * and the next key, if other processes seal with it already.
 */
export const createSealingKeys = (current: Buffer, further: readonly Buffer[] = []): SealingKeys => {
  const openAny = (context: string, sealed: string): Buffer => {
    for (const key of further) {
      const content = openedBy(key, context, sealed);
      if (content) return content;
    }
    // The error to report is that of the key in force.
    return open(current, context, sealed);
  };
  return {
    seal: (context, content) => seal(current, context, content),
    open: (context, sealed) => openedBy(current, context, sealed) ?? openAny(context, sealed),
    sealAnew: (context, sealed) =>
      openedBy(current, context, sealed) ? undefined : seal(current, context, openAny(context, sealed)),
  };
};
