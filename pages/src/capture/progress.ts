import { useEffect, useState } from 'preact/hooks';
import type { Api, Refused, Submitted } from './api.ts';
import { type Progress, type Session, storeProgress } from './session.ts';

const PORTRAITS = ['PORTRAIT'];
const CONTACT_TYPES = { EMAIL: 'EMAIL', MOBILE: 'MOBILE_OTP' } as const;
const OTHERS = [...Object.values(CONTACT_TYPES), 'PORTRAIT_REFERENCE', 'ATTRIBUTES', 'ADDRESS', 'MEDICARE'];

/**
 * What arrived although its answer was lost with the page: the newest evidence of a step that still
 * waits or was good, and the contacts that were confirmed.
 */
const adopt = (found: readonly Submitted[]): Pick<Progress, 'sent' | 'done'> => {
  const usable = found.filter(({ status }) => status !== 'NOT_VERIFIED' && status !== 'INVALID');
  const portrait = usable.findLast(({ type }) => PORTRAITS.includes(type));
  const document = usable.findLast(({ type }) => ![...PORTRAITS, ...OTHERS].includes(type));
  const done = (['EMAIL', 'MOBILE'] as const).filter((step) =>
    found.some(({ type, status }) => type === CONTACT_TYPES[step] && status === 'VERIFIED'),
  );
  return {
    sent: { ...(document ? { DOCUMENT: document.id } : {}), ...(portrait ? { PORTRAIT: portrait.id } : {}) },
    done,
  };
};

/**
 * How far the person is, stored with each change; what arrived although its answer was lost is
 * found again.
 */
export const useProgress = (api: Api, session: Session, before: Progress, onEnded: (error: Refused) => void) => {
  const [progress, setProgress] = useState(before);
  const [ready, setReady] = useState(!before.agreed);
  const change = (next: Partial<Progress>): void => setProgress((now) => ({ ...now, ...next }));
  useEffect(() => storeProgress(progress), [progress]);
  useEffect(() => {
    if (ready) return;
    api.statuses(session.identityId).then(({ singleStatuses }) => {
      const { sent, done } = adopt(singleStatuses);
      change({ sent: { ...sent, ...before.sent }, done: [...new Set([...before.done, ...done])] });
      setReady(true);
    }, onEnded);
  }, []);
  return { progress, ready, change };
};
