import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLeavesFocus } from './focus.ts';

type Tone = 'primary' | 'good' | 'bad' | 'plain';
type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'class'> & { tone?: Tone; wide?: boolean };

/**
 * A button that does not send a form unless `type` says so. One that was pressed and is disabled
 * while its act runs has the focus again afterwards, unless something else took it: browsers drop
 * it.
 */
export const Button = ({ tone, wide, type = 'button', disabled, ...rest }: ButtonProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const had = useRef(false);
  const isOff = disabled === true;
  if (isOff && document.activeElement === button.current) had.current = true;
  useLayoutEffect(() => {
    if (isOff) return;
    if (had.current && document.activeElement === document.body) button.current?.focus();
    had.current = false;
  }, [isOff]);
  useLeavesFocus(button, () => had.current);
  return (
    <button
      ref={button}
      type={type}
      class={[tone, wide && 'wide'].filter(Boolean).join(' ')}
      disabled={isOff}
      {...rest}
    />
  );
};

/** A page that came neither over TLS nor from this machine has no clipboard. */
export const clipboard: Clipboard | undefined = navigator.clipboard;

/** Puts a text on the clipboard; `what` names it for those who do not see it. */
export const Copy = ({ text, what }: { text: string; what: string }) => {
  const [copied, setCopied] = useState(false);
  if (!clipboard) return null;
  const copy = (): void => void clipboard?.writeText(text).then(() => setCopied(true));
  return (
    <Button onClick={copy} aria-label={`${copied ? 'Copied' : 'Copy'}: ${what}`}>
      {copied ? 'Copied' : 'Copy'}
    </Button>
  );
};

interface FieldProps {
  label: ComponentChildren;
  help?: string;
  children: ComponentChildren;
}

/** A control under its label. */
export const Field = ({ label, help, children }: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
  <label class="field">
    <span>{label}</span>
    {children}
    {help && <small class="help">{help}</small>}
  </label>
);

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onSelect: (value: T) => void;
}

/** A choice of one, under its label. */
export const Select = <T extends string>({ label, value, options, onSelect }: SelectProps<T>) => (
  <Field label={label}>
    <select value={value} onChange={(event) => onSelect(event.currentTarget.value as T)}>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  </Field>
);

interface DialogProps {
  open: boolean;
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog: it takes the focus, gives it back, and closes with Escape. */
export const Dialog = ({ open, label, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="dialog" aria-label={label} onClose={onClose}>
      {open && children}
    </dialog>
  );
};

interface TabsProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onSelect: (value: T) => void;
}

/** The tab that a key leads to from this place; undefined for other keys. */
const placeAfter = (key: string, place: number, count: number): number | undefined =>
  ({ ArrowRight: (place + 1) % count, ArrowLeft: (place + count - 1) % count, Home: 0, End: count - 1 })[key];

/**
 * Views of which one is shown. Tab reaches the chosen one only; arrows, Home and End move between
 * them, and Enter or Space chooses, because some views are fetched.
 */
export const Tabs = <T extends string>({ label, value, options, onSelect }: TabsProps<T>) => {
  const list = useRef<HTMLDivElement>(null);
  // On a phone the row is wider than the screen, and an address may lead to any of them.
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected="true"]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value]);
  const move = (event: KeyboardEvent): void => {
    const tabs = [...(list.current?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])];
    const next = placeAfter(event.key, tabs.indexOf(event.target as HTMLElement), tabs.length);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    tabs[next]?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} class="tabs" onKeyDown={move}>
      {options.map(([option, words]) => (
        <button
          key={option}
          type="button"
          role="tab"
          aria-selected={value === option}
          tabIndex={value === option ? 0 : -1}
          onClick={() => onSelect(option)}
        >
          {words}
        </button>
      ))}
    </div>
  );
};
