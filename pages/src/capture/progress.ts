import { useEffect, useState } from 'preact/hooks';
import { type Api, isPaused, Paused, type Refused, type Submitted } from './api.ts';
import { hasSubmitted, type Progress, type Session, stepsOf, storeProgress } from './session.ts';

const PORTRAITS = ['PORTRAIT'];
const CONTACT_TYPES = { EMAIL: 'EMAIL', MOBILE: 'MOBILE_OTP' } as const;
const OTHERS = [...Object.values(CONTACT_TYPES), 'PORTRAIT_REFERENCE', 'ATTRIBUTES', 'ADDRESS', 'MEDICARE'];

/**
 * What arrived although its answer was lost with the page: the newest evidence of a step that still
 * waits or was good, and the contacts that were confirmed.
 */
const adopt = (found: readonly Submitted[], { evidenceIds }: Session): Pick<Progress, 'sent' | 'done'> => {
  const usable = found.filter(({ status }) => status !== 'NOT_VERIFIED' && status !== 'INVALID');
  const portrait = usable.findLast(({ type }) => PORTRAITS.includes(type));
  const document = usable.findLast(({ id, type }) =>
    evidenceIds ? evidenceIds.DOCUMENT.includes(id) : ![...PORTRAITS, ...OTHERS].includes(type),
  );
  const chip = usable.findLast(({ id }) => evidenceIds?.CHIP.includes(id));
  const done = (['EMAIL', 'MOBILE'] as const).filter((step) =>
    found.some(({ type, status }) => type === CONTACT_TYPES[step] && status === 'VERIFIED'),
  );
  return {
    sent: {
      ...(document ? { DOCUMENT: document.id } : {}),
      ...(chip ? { CHIP: chip.id } : {}),
      ...(portrait ? { PORTRAIT: portrait.id } : {}),
    },
    done,
  };
};

/**
 * Ends a live capture that a reload interrupted, with the frames that had arrived. Without any it
 * is left alone, and no photo waits for its end.
 */
const endInterrupted = async (api: Api, { live }: Progress): Promise<Pick<Progress, 'sent'>> => {
  if (!live) return { sent: {} };
  const ended = await api.endLive(live.sessionId, live.endKey).catch(() => undefined);
  return { sent: ended ? { [live.step]: live.evidenceId } : {} };
};

/** What is there of the person's check already, wherever it was sent from. */
const lookUp = async (api: Api, session: Session, before: Progress): Promise<Partial<Progress>> => {
  const ended = await endInterrupted(api, before);
  const statuses = await api.statuses(session.identityId);
  // Said before a photo is taken that could not be sent.
  if (isPaused(statuses)) throw new Paused();
  const others = statuses.singleStatuses.filter(({ id }) => id !== before.live?.evidenceId);
  const found = adopt(others, session);
  const sent = { ...found.sent, ...before.sent, ...ended.sent };
  const wasSent = found.done.length > 0 || others.some(({ type }) => !OTHERS.includes(type));
  return {
    submitted: wasSent || hasSubmitted({ ...before, sent }),
    sent,
    done: [...new Set([...before.done, ...(before.confirmed ?? []), ...found.done])],
    live: undefined,
  };
};

/**
 * How far the person is, stored with each change. What arrived although its answer was lost, and
 * what another tab or device sent, is found again.
 */
export const useProgress = (api: Api, session: Session, before: Progress, onEnded: (error: Refused) => void) => {
  const [progress, setProgress] = useState(before);
  const isOpen = ({ agreed, done }: Progress): boolean =>
    agreed && stepsOf(session).some((step) => !done.includes(step));
  const [looked, setLooked] = useState(false);
  const change = (next: Partial<Progress>): void => setProgress((now) => ({ ...now, ...next }));
  useEffect(() => storeProgress(progress), [progress]);
  useEffect(() => {
    if (!isOpen(progress)) {
      // Whoever goes through the steps again waits once more: a late answer would undo skips.
      setLooked(false);
      return;
    }
    lookUp(api, session, progress).then((found) => {
      change(found);
      setLooked(true);
    }, onEnded);
  }, [isOpen(progress)]);
  return { progress, ready: looked || !isOpen(progress), change };
};
