import type { Readable } from 'node:stream';

/** The bytes of one medium, to be read to their end or destroyed. */
export type OpenMedium = (mediaId: string) => Promise<Readable>;

export interface MediaInTurn {
  /** The bytes of the next medium. */
  open: OpenMedium;
  /** The reader is gone: closes the medium that was opened in advance. */
  close(): void;
}

/**
 * Opens media in the order in which they are read, each one while the one before it is read.
 * Rejects if the first cannot be opened.
 */
export const mediaInTurn = async (mediaIds: readonly string[], open: OpenMedium): Promise<MediaInTurn> => {
  const ahead = new Map<string, Promise<Readable>>();
  const begin = (mediaId: string | undefined): void => {
    if (mediaId === undefined) return;
    const opening = open(mediaId);
    // The reader of the medium gets the error.
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
