import { useLayoutEffect, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { useUnsaved } from './address.ts';
import { get, type Page, patch, published } from './api.ts';
import { drafts, storeDraft, type Texts } from './draft.ts';
import { Loaded, Outcome, useAct, useLoaded } from './loaded.tsx';
import { Group, SettingControl, settingState } from './setting-control.tsx';
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
  const openApi = await published<OpenApi>('/openapi.json');
  const policies = await get<Page<{ name: string }>>('/policies');
  const tenant = openApi.paths['/admin/v1/tenants/{tenantId}']!.get.responses['200'].content['application/json'].schema;
  const names = policies.items.map(({ name }) => name);
  return fieldsOf(tenant.properties!.settings!).map((field) =>
    field.path === 'policy' ? { ...field, kind: 'choice', options: names } : field,
  );
};

/** Groups that few tenants need: folded away while nothing in them is set. */
const RARE = new Set(['Words at the beginning', 'Words at the end']);

interface FormProps {
  tenant: Tenant;
  fields: readonly SettingField[];
  onSaved: (tenant: Tenant) => void;
}

/**
 * Fields side by side, those of a group on a surface of their own; what was changed is saved
 * together.
 */
const Form = ({ tenant, fields, onSaved }: FormProps) => {
  const { tenantId } = tenant;
  const [texts, setTexts] = useState<Texts>(() => drafts.find(tenantId) ?? {});
  // At once, not after the next picture: the page may be left by then.
  useLayoutEffect(() => storeDraft(tenantId, texts), [texts]);
  const { running, message, done, act } = useAct();
  const stored = ({ path }: SettingField): string => textOf(valueAt(tenant.settings, path));
  const shown = (field: SettingField): string => texts[field.path] ?? stored(field);
  const edited = fields.filter((field) => shown(field) !== stored(field));
  useUnsaved(edited.length > 0, () => drafts.forget(tenantId));
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    act(async () => {
      const change = patchOf(fields, tenant.settings, texts);
      if (!change) return 'Nothing was changed.';
      onSaved(await patch<Tenant>(`/tenants/${tenantId}`, { settings: change }));
      // What was typed while it was saved is not saved yet.
      setTexts((now) => Object.fromEntries(Object.entries(now).filter(([path, text]) => texts[path] !== text)));
      return 'Saved.';
    });
  };
  const controls = (group: string) =>
    fields
      .filter((field) => field.group === group)
      .map((field) => (
        <SettingControl
          key={field.path}
          field={field}
          text={shown(field)}
          state={settingState(stored(field), shown(field))}
          onText={(text) => setTexts((now) => ({ ...now, [field.path]: text }))}
        />
      ));
  const groups = [...new Set(fields.map(({ group }) => group))];
  const isSet = (group: string): boolean => fields.some((field) => field.group === group && shown(field) !== '');
  return (
    <form onSubmit={save}>
      <div class="settings">
        {groups.map((group) => (
          <Group key={group} title={group || 'In general'} folded={RARE.has(group) && !isSet(group)}>
            {controls(group)}
          </Group>
        ))}
      </div>
      <div class={edited.length > 0 ? 'save edited' : 'save'}>
        <Button type="submit" tone="primary" disabled={running}>
          Save
        </Button>
        {edited.length > 0 && (
          <>
            <Button onClick={() => setTexts({})}>Undo</Button>
            <p>{edited.length === 1 ? '1 change is' : `${edited.length} changes are`} not saved yet.</p>
          </>
        )}
        <Outcome message={message} done={edited.length > 0 ? '' : done} />
      </div>
    </form>
  );
};

interface SettingsProps {
  tenant: Tenant;
  /** Which of the settings. */
  only: (path: string) => boolean;
  onSaved: (tenant: Tenant) => void;
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
