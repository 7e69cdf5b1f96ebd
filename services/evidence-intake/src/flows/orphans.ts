import type { Tombstones } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { isAttached } from '../domain/attached.ts';
import { mediaIds } from '../domain/medium.ts';
import type { EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import type { MediaStorage } from './media-storage.ts';

const BATCH = 100;

export interface Deps {
  media: MediaStore;
  evidences: EvidenceStore;
  tombstones: Tombstones;
  storage: MediaStorage;
  now: Clock;
}

/**
 * Decides about media of requests that did not hear how they ended: a crash between the bytes and
 * the record, a lost connection, a write without an answer. Those that a record holds stay; the
 * others are removed, and with them the record of an identity that was closed meanwhile.
 */
export const createOrphanSweep =
  ({ media, evidences, tombstones, storage, now }: Deps) =>
  async (): Promise<void> => {
    const due = await media.orphansDue(now(), BATCH);
    if (due.length === 0) return;
    const closed = await tombstones.among(due.map(({ identityId }) => identityId));
    const records = await evidences.among(due.map(({ evidenceId }) => evidenceId));
    const known = new Map(
      records.filter(({ identityId }) => !closed.has(identityId)).map((record) => [record._id, record]),
    );
    const attached = due.filter((medium) =>
      isAttached({ ...medium, mediaIds: mediaIds(medium) }, known.get(medium.evidenceId)),
    );
    await media.attach(attached.map(({ _id }) => _id));
    await storage.discard(due.filter((medium) => !attached.includes(medium)));
    for (const { _id } of records.filter((record) => !known.has(record._id))) await evidences.remove(_id);
  };
