import { useEffect, useState } from 'preact/hooks';

/** A part of an address; unlike decodeURIComponent it throws nothing where one was mistyped. */
const decoded = (part: string): string =>
  new URLSearchParams(`part=${part.replaceAll('&', '%26').replaceAll('+', '%2B')}`).get('part') ?? '';

/**
 * The parts of the address behind `#/`, decoded. What is shown is part of the address: it survives
 * a reload, Back works, and a colleague can be sent it.
 */
const partsNow = (): string[] => location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decoded);

export const addressOf = (...parts: string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;

/** Asked before another place is shown; one that says no keeps the present one. */
const guards = new Set<() => boolean>();
const LEAVE = 'Your changes are not saved. Leave them?';
const mayLeave = (): boolean => confirm(LEAVE);

/**
 * While something is not saved, whoever follows a link of the page, reloads it or closes it is
 * asked first.
 */
export const useUnsaved = (unsaved: boolean): void => {
  useEffect(() => {
    if (!unsaved) return;
    const left = (event: BeforeUnloadEvent): void => event.preventDefault();
    guards.add(mayLeave);
    addEventListener('beforeunload', left);
    return () => {
      guards.delete(mayLeave);
      removeEventListener('beforeunload', left);
    };
  }, [unsaved]);
};

export const useAddress = (): string[] => {
  const [parts, setParts] = useState(partsNow);
  useEffect(() => {
    let shown = location.href;
    const change = (): void => {
      if (![...guards].every((may) => may())) {
        history.replaceState(null, '', shown);
        return;
      }
      shown = location.href;
      setParts(partsNow());
    };
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return parts;
};
