import { useEffect, useState } from 'preact/hooks';
import { type CaseState, type CaseStatistics, type CaseSummary, listCases, loadStatistics, Refused } from './api.ts';
import { isTyping } from './help.tsx';

const REFRESH_MS = 5000;

/** When a case ended; a case that the end of its identity closed does not tell. */
export const endedAt = ({ decision, decisions, expiresAt, requestedAt }: CaseSummary): string =>
  decision === 'EXPIRED' ? expiresAt : (decisions.at(-1)?.at ?? requestedAt);
const newestFirst = (a: CaseSummary, b: CaseSummary): number => endedAt(b).localeCompare(endedAt(a));

/**
 * The cases of a state and the figures, loaded every few seconds; a key that is refused signs the
 * operator out.
 */
export const useQueue = (state: CaseState, onSignOut: (reason: string) => void) => {
  const [cases, setCases] = useState<CaseSummary[]>();
  const [statistics, setStatistics] = useState<CaseStatistics>();
  const [message, setMessage] = useState('');
  useEffect(() => {
    let unmounted = false;
    const failed = (error: Error): void => {
      // The refusal of a former key, or of a view that was left, is none of what is shown now.
      if (unmounted) return;
      const refused = error instanceof Refused && (error.status === 401 || error.status === 403);
      if (refused) onSignOut(error.message);
      else setMessage(`${error.message} Trying again.`);
    };
    const load = (): void => {
      listCases(state).then((items) => {
        if (unmounted) return;
        setMessage('');
        setCases(state === 'DECIDED' ? items.sort(newestFirst) : items);
      }, failed);
      loadStatistics().then(setStatistics, () => undefined);
    };
    setCases(undefined);
    load();
    const timer = setInterval(load, REFRESH_MS);
    return () => {
      unmounted = true;
      clearInterval(timer);
    };
  }, [state]);
  return { cases, statistics, message };
};

const casesShown = (): HTMLButtonElement[] => [...document.querySelectorAll<HTMLButtonElement>('.case')];

/** J and K, or the arrows, move through the cases. */
const move = (by: 1 | -1): void => {
  const links = casesShown();
  const at = links.indexOf(document.activeElement as HTMLButtonElement);
  links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
};

/** Listens for the keys of the queue for as long as it is shown. */
export const useQueueKeys = (onState: (by: 1 | -1) => void): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event)) return;
      // Where no case is shown, as in the statistics, the arrows scroll.
      if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && casesShown().length > 0) event.preventDefault();
      if (event.key === 'j' || event.key === 'ArrowDown') move(1);
      if (event.key === 'k' || event.key === 'ArrowUp') move(-1);
      if (event.key === 'ArrowRight') onState(1);
      if (event.key === 'ArrowLeft') onState(-1);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
};
