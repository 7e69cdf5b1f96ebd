import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../design/controls.tsx';
import { find, type Place, placesOf, type Specification } from './find.ts';

/** Everything there is to find, fetched when somebody first looks for something. */
const load = async (): Promise<Place[]> => {
  const [guide, api] = await Promise.all([fetch('/docs/search.json'), fetch('/openapi.json')]);
  return [...((await guide.json()) as Place[]), ...placesOf((await api.json()) as Specification)];
};

const Found = ({ places, onFollow }: { places: readonly Place[]; onFollow: () => void }) => (
  <ul class="found">
    {places.map(({ page, title, href, text }) => (
      <li key={href}>
        <a href={href} onClick={onFollow}>
          <strong>{title}</strong>
          <span>{page === title ? '' : page}</span>
          <small>{text.slice(0, 110)}</small>
        </a>
      </li>
    ))}
  </ul>
);

/** The search: a button, and a window in which to type; Ctrl-K or / opens it. */
export const Search = () => {
  const [open, setOpen] = useState(false);
  const [places, setPlaces] = useState<Place[]>();
  const [failed, setFailed] = useState(false);
  const [wanted, setWanted] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if ((event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !typing)) {
        event.preventDefault();
        setOpen(true);
      }
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
  useEffect(() => {
    if (!open) return;
    input.current?.focus();
    setFailed(false);
    if (!places) load().then(setPlaces, () => setFailed(true));
  }, [open]);
  const found = places ? find(places, wanted) : [];
  return (
    <>
      <button type="button" class="search" onClick={() => setOpen(true)}>
        <span>Search</span> <kbd>/</kbd>
      </button>
      <Dialog open={open} label="Search the documentation" onClose={() => setOpen(false)}>
        <input
          ref={input}
          type="search"
          aria-label="Search the documentation"
          placeholder="An endpoint, an error code, a word"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <p role="status" class="help">
          {failed && 'The search could not be loaded.'}
          {wanted && places && (found.length === 0 ? 'Nothing is called that.' : `${found.length} found`)}
        </p>
        <Found places={found} onFollow={() => setOpen(false)} />
      </Dialog>
    </>
  );
};
