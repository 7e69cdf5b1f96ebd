import { table } from '@assay/contracts/table';

/**
 * The settings of a tenant as a form: its fields from the schema that the service publishes, and
 * the change that was made in them.
 */

export interface SettingSchema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  /** Decided when the tenant is made. */
  readOnly?: boolean;
  enum?: readonly string[];
  items?: { type?: string };
  properties?: Readonly<Record<string, SettingSchema>>;
  anyOf?: readonly SettingSchema[];
}

export interface SettingField {
  /** Dotted, as the service names a member that it refuses. */
  path: string;
  group: string;
  label: string;
  help: string;
  kind: 'flag' | 'choice' | 'number' | 'text' | 'lines' | 'numbers';
  options: readonly string[];
  /** What holds where nothing is set, as text. */
  preset: string;
}

/** The value is shown to nobody, and no store of the browser may have it. */
export const isSecret = (path: string): boolean => /secret$/i.test(path);

export type Settings = Readonly<Record<string, unknown>>;

const KINDS = table<SettingField['kind']>({ boolean: 'flag', integer: 'number', array: 'lines' });
const kindOf = ({ type = '', enum: values, items }: SettingSchema): SettingField['kind'] => {
  if (items?.type === 'integer') return 'numbers';
  return values ? 'choice' : (KINDS[type] ?? 'text');
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.join('\n') : String(value);
};

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;
const secondsInWords = (seconds: number): string => {
  const [size, unit] = UNITS.find(([each]) => seconds % each === 0) ?? UNITS[3];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};
const MEGABYTE = 1024 * 1024;

/** What a number of seconds or bytes is in words; nothing for any other value. */
export const measured = ({ path }: Pick<SettingField, 'path'>, text: string): string => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 1) return '';
  if (/Seconds$/.test(path)) return secondsInWords(value);
  return /Bytes$/.test(path) ? `${Math.round((value / MEGABYTE) * 10) / 10} MB` : '';
};

/** The fields of a schema, those of a group together. */
export const fieldsOf = (schema: SettingSchema, group = '', prefix = ''): SettingField[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const path = `${prefix}${name}`;
    const inner = given.anyOf?.find(({ properties }) => properties) ?? given;
    if (inner.readOnly) return [];
    if (inner.properties) return fieldsOf(inner, given.title ?? name, `${path}.`);
    const { title = name, description = '', default: preset, enum: options = [] } = inner;
    return [{ path, group, label: title, help: description, kind: kindOf(inner), options, preset: textOf(preset) }];
  });

export const valueAt = (settings: Settings, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), settings);

const lines = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter(Boolean);

const numberOr = (text: string): unknown => (Number.isFinite(Number(text)) ? Number(text) : text);

/**
 * What a text means; empty is nothing set. A text that is no number goes as it is: the service says
 * what is wrong with it.
 */
const meant = ({ kind }: SettingField, text: string): unknown => {
  if (text.trim() === '') return null;
  if (kind === 'flag') return text === 'true';
  if (kind === 'number') return numberOr(text);
  if (kind === 'numbers') return lines(text).map(numberOr);
  return kind === 'lines' ? lines(text) : text;
};

const withMember = (target: Record<string, unknown>, [step = '', ...rest]: string[], value: unknown): object => {
  if (rest.length === 0) return { ...target, [step]: value };
  const inner = target[step];
  return { ...target, [step]: withMember(isObject(inner) ? inner : {}, rest, value) };
};

/**
 * The merge patch (RFC 7396) of what was changed; undefined where nothing was. A webhook without an
 * address is none.
 */
export const patchOf = (
  fields: readonly SettingField[],
  before: Settings,
  texts: Readonly<Record<string, string>>,
): Settings | undefined => {
  const changed = fields.filter(({ path }) => path in texts && texts[path] !== textOf(valueAt(before, path)));
  if (changed.length === 0) return undefined;
  const isRemoved = changed.some(({ path }) => path === 'webhook.url' && texts[path]?.trim() === '');
  const patch = changed.reduce<object>(
    (all, field) => withMember(all as Record<string, unknown>, field.path.split('.'), meant(field, texts[field.path]!)),
    {},
  );
  return isRemoved ? { ...patch, webhook: null } : (patch as Settings);
};
