import { useEffect, useState } from 'preact/hooks';
import { type CaseView, loadCase, ownId, Refused } from './api.ts';
import { useTick } from './now.ts';
import { refusalInWords, standingOf } from './standing.ts';
import { secondsSince } from './words.ts';

const REFRESH_MS = 5000;

const standingNow = (of: CaseView) => standingOf(of, ownId(), -secondsSince(of.expiresAt));

/** A case as it is now, what the operator may do with it, and what there is to say of the last act. */
export const useCase = (caseId: string) => {
  const [of, setOf] = useState<CaseView>();
  const [message, setMessage] = useState('');
  useTick(1000);
  const standing = of && standingNow(of);
  const fail = (error: Error): void => setMessage(error.message);
  const show = (next: CaseView): void => {
    setMessage('');
    setOf(next);
  };
  /** What a conflict is about shows in the case as it is now. */
  const refused = (error: Error): void => {
    const status = error instanceof Refused ? error.status : undefined;
    if (status === 0) setMessage(`${error.message} Try again; what you chose is still here.`);
    else if (status !== 409) fail(error);
    else
      loadCase(caseId).then((now) => {
        setOf(now);
        setMessage(refusalInWords(now, standingNow(now)));
      }, fail);
  };

  useEffect(() => {
    loadCase(caseId).then(setOf, fail);
  }, [caseId]);
  // Others claim and decide meanwhile, and time runs out.
  useEffect(() => {
    if (!standing || standing === 'decided') return;
    let unmounted = false;
    const refresh = (): void =>
      void loadCase(caseId).then(
        (now) => {
          if (!unmounted) setOf(now);
        },
        () => undefined,
      );
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      unmounted = true;
      clearInterval(timer);
    };
  }, [caseId, standing]);

  return { of, standing, message, setMessage, show, refused };
};
