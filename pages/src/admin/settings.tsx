import { useState } from 'preact/hooks';
import { Button, Field } from '../design/controls.tsx';
import { get, type Page, patch } from './api.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import {
  fieldsOf,
  patchOf,
  type SettingField,
  type SettingSchema,
  type Settings,
  textOf,
  valueAt,
} from './settings-form.ts';

export interface Tenant {
  tenantId: string;
  name: string;
  settings: Settings;
}

interface OpenApi {
  paths: Record<
    string,
    { get: { responses: { '200': { content: { 'application/json': { schema: SettingSchema } } } } } }
  >;
}

/** The fields as the service that runs publishes them, with the policies it has. */
const loadFields = async (): Promise<SettingField[]> => {
  const openApi = (await (await fetch('/openapi.json')).json()) as OpenApi;
  const policies = await get<Page<{ name: string }>>('/policies');
  const tenant = openApi.paths['/admin/v1/tenants/{tenantId}']!.get.responses['200'].content['application/json'].schema;
  const names = policies.items.map(({ name }) => name);
  return fieldsOf(tenant.properties!.settings!).map((field) =>
    field.path === 'policy' ? { ...field, kind: 'choice', options: names } : field,
  );
};

const FLAGS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };
const presetInWords = ({ preset }: SettingField): string =>
  preset === '' ? 'not set' : `${FLAGS[preset] ?? preset} (default)`;

interface ControlProps {
  field: SettingField;
  text: string;
  onText: (text: string) => void;
}

const Choice = ({ field, text, onText }: ControlProps) => (
  <select name={field.path} value={text} onChange={({ currentTarget }) => onText(currentTarget.value)}>
    <option value="">{presetInWords(field)}</option>
    {(field.kind === 'flag' ? ['true', 'false'] : field.options).map((option) => (
      <option key={option} value={option}>
        {FLAGS[option] ?? option}
      </option>
    ))}
  </select>
);

const Control = (props: ControlProps) => {
  const { field, text, onText } = props;
  if (field.kind === 'flag' || field.kind === 'choice') return <Choice {...props} />;
  if (field.kind === 'lines' || field.kind === 'numbers')
    return <textarea name={field.path} value={text} onInput={({ currentTarget }) => onText(currentTarget.value)} />;
  const shared = {
    name: field.path,
    autoComplete: 'off',
    value: text,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onText(currentTarget.value),
  };
  if (/secret$/i.test(field.path)) return <input type="password" {...shared} />;
  return <input inputMode={field.kind === 'number' ? 'numeric' : 'text'} placeholder={field.preset} {...shared} />;
};

interface FormProps {
  tenant: Tenant;
  fields: readonly SettingField[];
  onSaved: () => void;
}

/** Fields side by side, those of a group in a frame. */
const Form = ({ tenant, fields, onSaved }: FormProps) => {
  const [texts, setTexts] = useState<Record<string, string>>({});
  const { running, message, done, act } = useAct();
  const shown = ({ path }: SettingField): string => texts[path] ?? textOf(valueAt(tenant.settings, path));
  const change = patchOf(fields, tenant.settings, texts);
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    act(async () => {
      if (!change) return 'Nothing was changed.';
      await patch(`/tenants/${tenant.tenantId}`, { settings: change });
      setTexts({});
      onSaved();
      return 'Saved.';
    });
  };
  const control = (field: SettingField) => (
    <div key={field.path} class={shown(field) === '' ? '' : 'changed'}>
      <Field label={field.label} help={field.help}>
        <Control
          field={field}
          text={shown(field)}
          onText={(text) => setTexts((now) => ({ ...now, [field.path]: text }))}
        />
      </Field>
    </div>
  );
  const groups = [...new Set(fields.map(({ group }) => group))];
  return (
    <form onSubmit={save}>
      <div class="settings">
        {fields.filter(({ group }) => group === '').map(control)}
        {groups.filter(Boolean).map((group) => (
          <fieldset key={group}>
            <legend>{group}</legend>
            {fields.filter((field) => field.group === group).map(control)}
          </fieldset>
        ))}
      </div>
      <Button type="submit" tone="primary" disabled={running}>
        Save
      </Button>
      <Outcome message={message} done={done} />
    </form>
  );
};

interface SettingsProps {
  tenant: Tenant;
  /** Which of the settings. */
  only: (path: string) => boolean;
  onSaved: () => void;
}

/** Settings of a tenant, as a form made of the published schema. */
export const TenantSettings = ({ tenant, only, onSaved }: SettingsProps) => {
  const fields = useLoaded(loadFields, []);
  return (
    <Loaded state={fields}>
      {(all) => <Form tenant={tenant} fields={all.filter(({ path }) => only(path))} onSaved={onSaved} />}
    </Loaded>
  );
};
