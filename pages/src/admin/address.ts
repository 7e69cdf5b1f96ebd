import { useEffect, useState } from 'preact/hooks';

/** A part of an address; unlike decodeURIComponent it throws nothing where one was mistyped. */
const decoded = (part: string): string =>
  new URLSearchParams(`part=${part.replaceAll('&', '%26').replaceAll('+', '%2B')}`).get('part') ?? '';

/** Stands for what is neither a place nor an id, as `..` or `id?x`; no path of the API has it. */
const NOTHING = '-';
const known = (part: string): string => (/^[\w-]+$/.test(part) ? part : NOTHING);

/**
 * The parts of the address behind `#/`, decoded. What is shown is part of the address: it survives
 * a reload, Back works, and a colleague can be sent it.
 */
const partsNow = (): string[] => {
  const [path = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return path.split('/').filter(Boolean).map(decoded).map(known);
};

export const addressOf = (...parts: string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;

const criteriaNow = <Name extends string>(names: readonly Name[]): Record<Name, string> => {
  const given = new URLSearchParams(location.hash.split('?')[1]);
  return Object.fromEntries(names.map((name) => [name, given.get(name) ?? ''])) as Record<Name, string>;
};

interface Shown<Name extends string> {
  criteria: Record<Name, string>;
  show: (next: Record<Name, string>) => void;
  /** Another number once somebody followed a link: a form then shows the criteria anew. */
  visit: number;
}

/**
 * Criteria of a list, behind the `?` of the address; empty where none is given. Another criterion
 * is no step of the history: Back leaves the list. What may tell who a person is does not belong
 * here: browsers remember addresses.
 */
export const useCriteria = <Name extends string>(names: readonly Name[]): Shown<Name> => {
  const [criteria, setCriteria] = useState(() => criteriaNow(names));
  const [visit, setVisit] = useState(0);
  useEffect(() => {
    const change = (): void => {
      setCriteria(criteriaNow(names));
      setVisit((number) => number + 1);
    };
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, [names]);
  const show = (next: Record<Name, string>): void => {
    const given = names.filter((name) => next[name] !== '').map((name) => [name, next[name]]);
    const query = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
    history.replaceState(null, '', `${addressOf(...partsNow())}${query}`);
    setCriteria(next);
  };
  return { criteria, show, visit };
};

/** Asked before another place is shown; one that says no keeps the present one. */
const guards = new Set<() => boolean>();
const LEAVE = 'Your changes are not saved. Leave them?';

/**
 * While something is not saved, whoever follows a link of the page, reloads it or closes it is
 * asked first. `onLeft`: they left what is not saved.
 */
export const useUnsaved = (unsaved: boolean, onLeft: () => void): void => {
  useEffect(() => {
    if (!unsaved) return;
    const mayLeave = (): boolean => {
      const leaves = confirm(LEAVE);
      if (leaves) onLeft();
      return leaves;
    };
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
