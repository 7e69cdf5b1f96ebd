import { useEffect, useState } from 'preact/hooks';

/** True while keys are text or belong to the browser. */
export const isTyping = (event: KeyboardEvent): boolean =>
  event.target instanceof HTMLTextAreaElement ||
  (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey;

/** What the keys do; `?` opens and closes it, and Escape closes it before it does anything else. */
export const Keys = ({ keys }: { keys: readonly (readonly [string, string])[] }) => {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === '?' && !isTyping(event)) setOpen((is) => !is);
      if (event.key !== 'Escape' || !open) return;
      event.stopPropagation();
      setOpen(false);
    };
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, [open]);
  return (
    <details class="keys" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Keyboard shortcuts <kbd>?</kbd>
      </summary>
      <dl>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
};
