import { useEffect } from 'preact/hooks';
import { isTyping } from './help.tsx';
import { stepped } from './picture.tsx';
import { isWriting } from './writing.ts';

/** What each key does on a case, as the help tells it. */
export const CASE_KEYS = [
  ['C', 'claim the case'],
  ['1 to 8', 'choose a reason'],
  ['A', 'accept'],
  ['R', 'reject'],
  ['N', 'next case, once you have decided'],
  ['+ and −', 'zoom all images'],
  ['0', 'whole images again'],
  ['M', 'mark on the images what differs, or not'],
  ['Tab, then arrows', 'move a zoomed image'],
  ['Esc', 'leave the comment; back to the queue'],
] as const;

interface Shortcuts {
  setZoom: (change: number | ((now: number) => number)) => void;
  onBack: () => void;
}

/** Listens for the keys of a case for as long as it is shown. */
export const useShortcuts = ({ setZoom, onBack }: Shortcuts): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const writing = isWriting(event);
      if (isTyping(event)) {
        // Out of the comment first: what was written is not lost by one key.
        if (event.key === 'Escape') (event.target as HTMLElement).blur();
        return;
      }
      if (writing) return;
      const click = (id: string): void => document.getElementById(id)?.click();
      const actions: Record<string, () => void> = {
        a: () => click('accept'),
        r: () => click('reject'),
        c: () => click('claim'),
        n: () => click('next'),
        m: () => click('marks'),
        '+': () => setZoom((now) => stepped(now, 1)),
        '=': () => setZoom((now) => stepped(now, 1)),
        '-': () => setZoom((now) => stepped(now, -1)),
        '0': () => setZoom(1),
        escape: onBack,
      };
      actions[event.key.toLowerCase()]?.();
      if (/^[1-8]$/.test(event.key)) click(`reason-${event.key}`);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
};
