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

export const useAddress = (): string[] => {
  const [parts, setParts] = useState(partsNow);
  useEffect(() => {
    const change = (): void => setParts(partsNow());
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return parts;
};
