import type { Fields } from './store/paths.ts';
import { notDeleted, type Suspect } from './suspect.ts';

const withoutBytes = ({ stage: { store } }: Suspect, evidenceId: string): boolean => {
  const [evidence] = store.collection('evidence-intake', 'evidences').matching({ _id: evidenceId });
  const media = (evidence?.media ?? []) as { mediaId: string }[];
  const holds = (mediaId: string): boolean => {
    const [medium] = store.collection('evidence-intake', 'media').matching({ _id: mediaId });
    const count = (name: string, filter: Fields): number =>
      store.collection('evidence-intake', name).matching(filter).length;
    if (medium?.content) return true;
    return (
      count('blobs.files', { _id: String(medium?.blobId) }) > 0 &&
      count('blobs.chunks', { files_id: String(medium?.blobId) }) > 0
    );
  };
  return media.length === 0 || !media.every(({ mediaId }) => holds(mediaId));
};

/** Every picture and file that was accepted, and not deleted, has its bytes. */
export const lostBytes = (suspect: Suspect): string[] =>
  notDeleted(suspect).flatMap(({ evidenceId, hasPicture, isFile }) =>
    (hasPicture || isFile) && withoutBytes(suspect, evidenceId) ? [`evidence ${evidenceId} has lost its bytes`] : [],
  );

/** Each stored chunk belongs to a record, by which it is found when it is to be removed. */
export const strayBytes = ({ stage: { store } }: Suspect): string[] => {
  const owned = new Set([
    ...store
      .collection('evidence-intake', 'media')
      .all()
      .map(({ blobId }) => String(blobId)),
    ...store
      .collection('proof-builder', 'proofs')
      .all()
      .flatMap(({ archiveIds }) => (archiveIds as string[]) ?? []),
  ]);
  const chunks = [
    ...store.collection('evidence-intake', 'blobs.chunks').all(),
    ...store.collection('proof-builder', 'archives.chunks').all(),
  ];
  const stray = chunks.filter(({ files_id }) => !owned.has(String(files_id)));
  return stray.length > 0 ? [`${stray.length} chunks belong to no record`] : [];
};
