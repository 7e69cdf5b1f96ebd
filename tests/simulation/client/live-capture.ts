import { setTimeout as pause } from 'node:timers/promises';
import { pictureOf } from './picture.ts';
import type { Travelling } from './travelling.ts';

/** The session timed out while faults lasted. */
const TIMED_OUT = [409];

/**
 * Photographs a passport in a live capture session, which is an evidence from its start. A session
 * that is left ends by itself, without a picture.
 */
export const captureLive = async (
  { call, ledger, random }: Travelling,
  identityId: string,
  { isLeft }: { isLeft: boolean },
): Promise<void> => {
  const at = `/svc/v1/identities/${identityId}/id-documents/live-capture-session`;
  const begun = await call('POST', at, { json: { idDocumentType: 'PASSPORT' } });
  if (!begun) return;
  const { id: evidenceId, sessionId } = begun.body;
  const accepted = { identityId, evidenceId, hasPicture: false };
  ledger.accepted.push(accepted);
  for (let frames = random.between(1, 3); frames > 0; frames -= 1) {
    const body = { part: 'Frame', picture: pictureOf(random) };
    if (!(await call('POST', `/svc/v1/live-capture-sessions/${sessionId}/frames`, body, TIMED_OUT))) return;
    await pause(random.between(1, 2000));
  }
  if (isLeft) return;
  const ended = await call('POST', `/svc/v1/live-capture-sessions/${sessionId}/end`, undefined, TIMED_OUT);
  if (ended) accepted.hasPicture = true;
};
