import { useEffect, useState } from 'preact/hooks';
import { Button, Dialog } from '../design/controls.tsx';

/** True of a key that is pressed in a field. */
export const isInField = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && target.type !== 'checkbox');

/** True while keys are text or belong to the browser. */
export const isTyping = (event: KeyboardEvent): boolean =>
  isInField(event) || event.ctrlKey || event.metaKey || event.altKey;

/** What the keys do; `?` opens and closes it, and Escape closes it before it does anything else. */
export const Keys = ({ keys }: { keys: readonly (readonly [string, string])[] }) => {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === '?' && !isTyping(event)) setOpen((is) => !is);
      // Not the state: a key may come between the dialog's closing and the next render.
      else if (!document.querySelector('dialog[open]')) return;
      // The page behind does nothing meanwhile; the dialog closes itself with Escape.
      event.stopPropagation();
    };
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, []);
  return (
    <>
      <span class="keys-help">
        <Button onClick={() => setOpen(true)}>
          Keyboard shortcuts <kbd>?</kbd>
        </Button>
      </span>
      <Dialog open={open} label="Keyboard shortcuts" onClose={() => setOpen(false)}>
        <h2>Keyboard shortcuts</h2>
        <dl class="keys">
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <Button tone="primary" onClick={() => setOpen(false)}>
          Close
        </Button>
      </Dialog>
    </>
  );
};
