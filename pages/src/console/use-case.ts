import { capital } from '@assay/contracts/words';
import { useEffect, useState } from 'preact/hooks';
import { type CaseView, loadCase, ownId, Refused } from './api.ts';
import { type Availability, availabilityOf, refusalInWords } from './availability.ts';
import { useTick } from './now.ts';

const REFRESH_MS = 5000;

const availabilityNow = (view: CaseView) => availabilityOf(view, ownId());

/** Asks for a case every few seconds: others claim and decide meanwhile, and time runs out. */
const useRefresh = (
  caseId: string,
  availability: Availability | undefined,
  onCase: (now: CaseView) => void,
  onError: (error: Error) => void,
): void => {
  useEffect(() => {
    if (!availability || availability === 'decided') return;
    let unmounted = false;
    const ifShown =
      <T>(act: (value: T) => void) =>
      (value: T): void => {
        if (!unmounted) act(value);
      };
    const refresh = (): void => void loadCase(caseId).then(ifShown(onCase), ifShown(onError));
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      unmounted = true;
      clearInterval(timer);
    };
  }, [caseId, availability]);
};

/** No answer, too many questions or trouble of the service: the same may be answered later. */
const mayPass = (error: Error): boolean =>
  error instanceof Refused && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Loads a case for the first time, as often as it takes; `again`: it will be asked for again. */
const useFirst = (
  caseId: string,
  onCase: (now: CaseView) => void,
  onError: (error: Error, again: boolean) => void,
): void => {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unmounted = false;
    const load = (): void =>
      void loadCase(caseId).then(
        (now) => !unmounted && onCase(now),
        (error: Error) => {
          if (unmounted) return;
          onError(error, mayPass(error));
          if (mayPass(error)) timer = setTimeout(load, REFRESH_MS);
        },
      );
    load();
    return () => {
      unmounted = true;
      clearTimeout(timer);
    };
  }, [caseId]);
};

/**
 * A case as it is now, what the operator may do with it, and what there is to say of the last act.
 */
export const useCase = (caseId: string, onSignOut: (reason: string) => void) => {
  const [view, setView] = useState<CaseView>();
  const [message, setMessage] = useState('');
  useTick(1000);
  const availability = view && availabilityNow(view);
  /** Whoever may not read the case any more is not shown it any longer. */
  const signOutOr = (error: Error, otherwise: () => void): void => {
    if (error instanceof Refused && (error.status === 401 || error.status === 403)) onSignOut(error.message);
    else otherwise();
  };
  const fail = (error: Error): void => signOutOr(error, () => setMessage(error.message));
  const show = (next: CaseView): void => {
    setMessage('');
    setView(next);
  };
  /** What a conflict is about shows in the case as it is now. */
  const refused = (error: Error): void => {
    const status = error instanceof Refused ? error.status : undefined;
    if (status === 0) setMessage(`${error.message} Try again; what you chose is still here.`);
    else if (status !== 409) fail(error);
    else
      loadCase(caseId).then((now) => {
        setView(now);
        const found = availabilityNow(now);
        // Where the case is as it was, what is in the way is not in it.
        const same = found === availability && (found === 'free' || found === 'mine' || found === 'lapsed');
        const reason = same && error instanceof Refused ? error.reason : undefined;
        setMessage(reason ? `${capital(reason)}.` : refusalInWords(now, found));
      }, fail);
  };

  useFirst(caseId, show, (error, again) =>
    signOutOr(error, () => setMessage(again ? `${error.message} Trying again.` : error.message)),
  );
  useRefresh(
    caseId,
    availability,
    (now) => {
      // What was said of the last act is no longer so.
      if (availabilityNow(now) !== availability) setMessage('');
      setView(now);
    },
    // Any other failure may pass: the next refresh shows.
    (error) => signOutOr(error, () => undefined),
  );

  return { view, availability, message, setMessage, show, refused };
};
