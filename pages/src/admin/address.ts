import { useEffect, useState } from 'preact/hooks';

/**
 * The parts of the address behind `#/`, decoded. What is shown is part of the address: it survives
 * a reload, Back works, and a colleague can be sent it.
 */
const partsNow = (): string[] => location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);

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
