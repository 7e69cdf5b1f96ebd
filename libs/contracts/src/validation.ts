import { Ajv2020, type ErrorObject as AjvError, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { FORMATS } from './shapes/building-blocks.ts';

// ajv-formats is CommonJS: under ESM its function is the module's default.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, ownProperties: true });
addFormats(ajv, ['date-time']);
for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, { type: 'string', validate });

/** One thing wrong with a value: `field` is the dotted path from the root (`personalAttributes.dateOfBirth`, `[0].validityPeriod.to`). */
export interface Violation {
  field: string;
  message: string;
}

const dotted = (error: AjvError): string => {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') steps.push(String(error.params.missingProperty));
  if (error.keyword === 'additionalProperties') steps.push(String(error.params.additionalProperty));
  return steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '');
};

const validators = new WeakMap<TSchema, ValidateFunction>();
const validatorOf = (schema: TSchema): ValidateFunction => {
  const known = validators.get(schema);
  if (known) return known;
  const compiled = ajv.compile(schema);
  validators.set(schema, compiled);
  return compiled;
};

/** True when the value has the schema's shape. The validator is compiled once a schema. */
export const matches = <S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  validatorOf(schema)(value) === true;

const DEEPEST = 32;
/** Nested deeper than anything the service takes: whoever walks through it would run out of stack. */
export const isTooDeep = (value: unknown, depth = 0): boolean =>
  depth > DEEPEST ||
  (typeof value === 'object' && value !== null && Object.values(value).some((inner) => isTooDeep(inner, depth + 1)));

/** The value without the members that are null: client libraries write fields that were never set so, and they say nothing. */
export const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
};

/** Everything wrong with a value; empty when it has the schema's shape. Messages never repeat the value: it may be personal data. */
export const violationsOf = (schema: TSchema, value: unknown): Violation[] => {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  // What a condition asked for is told by an error of its own.
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map((error) => ({ field: dotted(error), message: error.message ?? 'is not valid' }));
};
