import type { Tombstones } from '@assay/mongo';
import { type Apart, type Clock, createApart, type Log } from '@assay/runtime';
import { isAttached, isToBeChecked } from '../domain/attached.ts';
import { mediaIds } from '../domain/medium.ts';
import type { EvidenceStore } from '../store/evidences.ts';
import type { Discarded, MediaStore } from '../store/media.ts';
import type { MediaStorage } from './media-storage.ts';

const BATCH = 100;
/** A round takes at most so many batches: every medium is looked at once, by some round. */
const BATCHES = 50;

export interface Deps {
  media: MediaStore;
  evidences: EvidenceStore;
  tombstones: Tombstones;
  storage: MediaStorage;
  orphanAfterMs: number;
  now: Clock;
  log: Log;
}

/** Removes all at once, or, where one cannot be removed, each of the others. */
const discarder =
  ({ storage }: Deps, apart: Apart) =>
  (discarded: readonly Discarded[]): Promise<void> =>
    storage.discard(discarded).catch(() =>
      apart.each(
        discarded,
        ({ _id }) => _id,
        (medium) => storage.discard([medium]),
      ),
    );

const decider = (deps: Deps) => {
  const { media, evidences, tombstones, orphanAfterMs, now, log } = deps;
  const apart = createApart({ sweeper: 'orphans', log });
  const discard = discarder(deps, apart);
  return async (): Promise<number> => {
    const at = now();
    const due = await media.orphansDue(at, { limit: BATCH, except: apart.resting() });
    if (due.length === 0) return 0;
    const closed = await tombstones.among(due.map(({ identityId }) => identityId));
    const records = await evidences.among(due.map(({ evidenceId }) => evidenceId));
    const known = new Map(
      records.filter(({ identityId }) => !closed.has(identityId)).map((record) => [record._id, record]),
    );
    const attached = due.filter((medium) =>
      isAttached({ ...medium, mediaIds: mediaIds(medium) }, known.get(medium.evidenceId)),
    );
    const toBeChecked = due.filter((medium) => isToBeChecked(medium, known.get(medium.evidenceId)));
    await media.attach(attached.map(({ _id }) => _id));
    if (toBeChecked.length > 0)
      await media.orphan(
        toBeChecked.map(({ _id }) => _id),
        new Date(at.getTime() + orphanAfterMs),
      );
    await discard(due.filter((medium) => !attached.includes(medium) && !toBeChecked.includes(medium)));
    for (const { _id } of records.filter((record) => !known.has(record._id))) await evidences.remove(_id);
    return due.length;
  };
};

/**
 * Decides about media some time after their upload. Media that a record refers to stay; many are
 * marked with one write. The others are from requests whose outcome is unknown (a crash between
 * bytes and record, a lost connection, a write without an answer): they are removed, with the
 * record of an identity that was closed meanwhile. What a worker has still to check is looked at
 * again later. What the store refuses to remove delays no other medium.
 */
export const createOrphanSweep = (deps: Deps) => {
  const decide = decider(deps);
  return async (): Promise<void> => {
    for (let batch = 0; batch < BATCHES; batch += 1) if ((await decide()) < BATCH) return;
  };
};
