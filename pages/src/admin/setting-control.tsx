import { table } from '@assay/contracts/table';
import { capital } from '@assay/contracts/words';
import type { ComponentChildren } from 'preact';
import { Field } from '../design/controls.tsx';
import { isSecret, measured, type SettingField } from './settings-form.ts';

/** Choices of the wire that are no words for people. */
const WORDS = table<string>({
  true: 'yes',
  false: 'no',
  NONE: 'none',
  API_KEY: 'the secret itself, in a header',
  HMAC: 'a signature, in a header',
  COMMERCIAL: 'commercial',
  GOVERNMENT: 'government',
});
const inWords = (option: string): string => WORDS[option] ?? option;

interface ControlProps {
  field: SettingField;
  text: string;
  onText: (text: string) => void;
}

const Choice = ({ field, text, onText }: ControlProps) => (
  <select name={field.path} value={text} onChange={({ currentTarget }) => onText(currentTarget.value)}>
    <option value="">{field.preset === '' ? 'not set' : `${inWords(field.preset)} (by default)`}</option>
    {(field.kind === 'flag' ? ['true', 'false'] : field.options).map((option) => (
      <option key={option} value={option}>
        {inWords(option)}
      </option>
    ))}
  </select>
);

const Control = (props: ControlProps) => {
  const { field, text, onText } = props;
  if (field.kind === 'flag' || field.kind === 'choice') return <Choice {...props} />;
  if (field.kind === 'lines' || field.kind === 'numbers')
    return (
      <textarea
        name={field.path}
        rows={2}
        placeholder="one on each line"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    );
  const shared = {
    name: field.path,
    autoComplete: 'off',
    value: text,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onText(currentTarget.value),
  };
  if (isSecret(field.path)) return <input type="password" {...shared} />;
  return <input inputMode={field.kind === 'number' ? 'numeric' : 'text'} placeholder={field.preset} {...shared} />;
};

export type SettingState = '' | 'changed' | 'edited';

/** Whether a setting is the default, set, or changed here and not saved. */
export const settingState = (stored: string, shown: string): SettingState => {
  if (shown !== stored) return 'edited';
  return shown === '' ? '' : 'changed';
};

/** A setting under its name, with what it does and what its number comes to. */
export const SettingControl = ({ state, ...control }: ControlProps & { state: SettingState }) => {
  const { field, text } = control;
  const words = measured(field, text || field.preset);
  return (
    <div class={state}>
      <Field label={field.label} help={capital(words ? `${field.help} (now ${words})` : field.help)}>
        <Control {...control} />
      </Field>
    </div>
  );
};

interface GroupProps {
  title: string;
  /** Folded away at first. */
  folded: boolean;
  children: ComponentChildren;
}

/** Settings that belong together. */
export const Group = ({ title, folded, children }: GroupProps) =>
  folded ? (
    <details class="settings-group">
      <summary>{title}</summary>
      <div class="settings">{children}</div>
    </details>
  ) : (
    <section class="settings-group" aria-label={title}>
      <h2>{title}</h2>
      <div class="settings">{children}</div>
    </section>
  );
