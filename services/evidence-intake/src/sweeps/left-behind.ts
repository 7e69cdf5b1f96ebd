import type { Clock } from '@assay/runtime';
import { isHeld } from '../domain/held.ts';
import type { EvidenceStore } from '../store/evidences.ts';
import type { MediaStore } from '../store/media.ts';
import type { Vault } from '../vault.ts';

const BATCH = 100;

/** Removes media that a request left behind which never ended with a record: a crash between the bytes and the record, a lost connection. */
export const createLeftBehindSweep =
  ({ media, evidences, vault, now }: { media: MediaStore; evidences: EvidenceStore; vault: Vault; now: Clock }) =>
  async (): Promise<void> => {
    const due = await media.leftBehind(now(), BATCH);
    if (due.length === 0) return;
    const known = new Map(
      (await evidences.among(due.map(({ evidenceId }) => evidenceId))).map((one) => [one._id, one]),
    );
    const held = due.filter((medium) => isHeld({ ...medium, mediaId: medium._id }, known.get(medium.evidenceId)));
    await media.claim(held.map(({ _id }) => _id));
    await vault.discard(due.filter((medium) => !held.includes(medium)));
  };
