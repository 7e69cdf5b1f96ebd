import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../faults/random.ts';
import { createIdentity, deleteIdentity, pathOf } from './identity-calls.ts';
import { pictureOf } from './picture.ts';
import type { Travelling } from './travelling.ts';

/** The work of a client whose pictures arrive slowly. */
export interface SlowUploads {
  afterMs: number;
  pictures: number;
  /** When it deletes the identity, which is often while pictures arrive. */
  deletesAfterMs: number | undefined;
}

export const slowUploadsOf = (random: Random): SlowUploads => ({
  afterMs: random.next() * 10_000,
  pictures: random.between(1, 3),
  deletesAfterMs: random.next() < 0.7 ? random.between(1, 6000) : undefined,
});

const LONGEST_PIECE_MS = 800;
/** What an identity answers that is closed meanwhile. */
const CLOSED = [404, 409, 410];

/** Sends pictures at once, each in pieces, and deletes the identity meanwhile. */
export const uploadSlowly = async (
  travelling: Travelling,
  { pictures, deletesAfterMs }: SlowUploads,
): Promise<void> => {
  const { call, ledger, random } = travelling;
  const identityId = await createIdentity(travelling);
  if (identityId === undefined) return;
  const upload = async (): Promise<void> => {
    const body = { part: 'DocumentFront', picture: pictureOf(random), pieceMs: random.next() * LONGEST_PIECE_MS };
    const answer = await call('POST', `${pathOf(identityId)}/id-documents/capture`, body, CLOSED);
    if (answer) ledger.accepted.push({ identityId, evidenceId: answer.body.id, hasPicture: true });
  };
  const end = async (): Promise<void> => {
    if (deletesAfterMs === undefined) return;
    await pause(deletesAfterMs);
    await deleteIdentity(travelling, identityId);
  };
  await Promise.all([end(), ...Array.from({ length: pictures }, upload)]);
};
