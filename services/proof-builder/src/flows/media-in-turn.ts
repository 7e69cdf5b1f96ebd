import type { Readable } from 'node:stream';

/** The bytes of one medium, to be read to their end or destroyed. */
export type OpenMedium = (mediaId: string) => Promise<Readable>;

export interface MediaInTurn {
  /** The bytes of the medium whose turn it is. */
  open: OpenMedium;
  /** Nobody reads on: what was opened ahead is closed. */
  close(): void;
}

/**
 * Opens media in the order in which they are going to be read, the next one while one is read.
 * Rejects when the first does not open.
 */
export const mediaInTurn = async (mediaIds: readonly string[], open: OpenMedium): Promise<MediaInTurn> => {
  const ahead = new Map<string, Promise<Readable>>();
  const begin = (mediaId: string | undefined): void => {
    if (mediaId === undefined) return;
    const opening = open(mediaId);
    // Whoever reads it hears of a failure.
    opening.catch(() => undefined);
    ahead.set(mediaId, opening);
  };
  begin(mediaIds[0]);
  await ahead.get(mediaIds[0]!);
  return {
    open: (mediaId) => {
      const opening = ahead.get(mediaId) ?? open(mediaId);
      ahead.delete(mediaId);
      begin(mediaIds[mediaIds.indexOf(mediaId) + 1]);
      return opening;
    },
    close: () => {
      for (const opening of ahead.values())
        opening.then(
          (stream) => stream.destroy(),
          () => undefined,
        );
      ahead.clear();
    },
  };
};
