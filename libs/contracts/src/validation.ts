import { Ajv2020, type ErrorObject as AjvError, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { isCalendarDate } from './dates.ts';
import { FORMATS } from './formats.ts';
import { DATES_IN_ORDER, SOME_MEMBER } from './shapes/submissions.ts';
import { isNoise, messageOf } from './violation-words.ts';

// ajv-formats is CommonJS: under ESM its function is the module's default.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

const memberOf = (node: unknown, step: string): unknown =>
  typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[step] : undefined;

const isDate = (value: unknown): value is string => typeof value === 'string' && isCalendarDate(value);

const createAjv = (allErrors: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    allErrors,
    verbose: true,
    strict: true,
    strictTypes: false,
    ownProperties: true,
    // This takes half of the compile time, which each start pays, and makes checks no faster.
    code: { optimize: false },
  });
  addFormats(ajv, ['date-time']);
  ajv.addKeyword({
    keyword: DATES_IN_ORDER,
    type: 'object',
    schemaType: 'array',
    validate: ([first = '', second = '']: string[], dates: Record<string, unknown>) => {
      const [before, after] = [first, second].map((path) => path.split('.').reduce(memberOf, dates as unknown));
      // What is no date is reported as such, and says nothing of the other one.
      return !isDate(before) || !isDate(after) || before <= after;
    },
  });
  ajv.addKeyword({
    keyword: SOME_MEMBER,
    type: 'object',
    schemaType: 'array',
    validate: (names: string[], value: Record<string, unknown>) => names.some((name) => value[name] !== undefined),
  });
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, { type: 'string', validate });
  return ajv;
};
const ajv = createAjv(true);

/**
 * One violation in a value. `field` is the dotted path from the root
 * (`personalAttributes.dateOfBirth`, `[0].validityPeriod.to`).
 */
export interface Violation {
  field: string;
  message: string;
}

/** The path from a value to the null or blank text that makes it empty. */
const stepsToNothing = (value: unknown): string[] => {
  const [first] = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return first ? [first[0], ...stepsToNothing(first[1])] : [];
};

const stepsOf = (error: AjvError): string[] => {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') steps.push(String(error.params.missingProperty));
  if (error.keyword === DATES_IN_ORDER) steps.push(...String((error.schema as string[])[1]).split('.'));
  if (error.keyword === 'additionalProperties') steps.push(String(error.params.additionalProperty));
  return steps;
};

/** In a list, a number is an index; elsewhere it is the name of a member (`dataGroups.1`). */
const dotted = (steps: readonly string[], root: unknown): string => {
  let node = root;
  return steps.reduce((path, step) => {
    const isIndex = Array.isArray(node);
    node = memberOf(node, step);
    return isIndex ? `${path}[${step}]` : path ? `${path}.${step}` : step;
  }, '');
};

/**
 * Where in the sent value an error is. For a value that was sent empty, the path leads to the blank
 * text.
 */
const violationOf = (error: AjvError, sent: unknown): Violation => {
  const steps = stepsOf(error);
  const absent = error.keyword === 'required' ? steps.reduce(memberOf, sent) : undefined;
  if (absent === undefined) return { field: dotted(steps, sent), message: messageOf(error) };
  return { field: dotted([...steps, ...stepsToNothing(absent)], sent), message: 'must not be empty' };
};

const validatorsOf = (ajvOf: () => Ajv2020): ((schema: TSchema) => ValidateFunction) => {
  const validators = new WeakMap<TSchema, ValidateFunction>();
  return (schema) => {
    const known = validators.get(schema);
    if (known) return known;
    const compiled = ajvOf().compile(schema);
    validators.set(schema, compiled);
    return compiled;
  };
};
const validatorOf = validatorsOf(() => ajv);
let untilFirst: Ajv2020 | undefined;
const firstErrorValidatorOf = validatorsOf(() => {
  untilFirst ??= createAjv(false);
  return untilFirst;
});

/** Whether the value has the schema's shape. The validator is compiled once for each schema. */
export const matches = <S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  validatorOf(schema)(value) === true;

const DEEPEST = 32;
/**
 * The deepest nesting accepted. Deeper values, which no request needs, would exhaust the stack of
 * recursive code.
 */
export const isTooDeep = (value: unknown, depth = 0): boolean =>
  depth > DEEPEST ||
  (typeof value === 'object' && value !== null && Object.values(value).some((inner) => isTooDeep(inner, depth + 1)));

/** A value without its empty parts, and whether anything is left. */
interface Said {
  rest: unknown;
  isNothing: boolean;
}

/**
 * A list without the empty items at its end, such as a middle name that was never filled in. An
 * empty item before others stays.
 */
const saidByList = (items: readonly Said[]): Said => {
  const texts = items.filter(({ rest }) => rest !== '');
  const last = texts.findLastIndex(({ isNothing }) => !isNothing);
  const rest = texts.slice(0, last + 1).map((item) => item.rest);
  return { rest, isNothing: items.length > 0 && rest.length === 0 };
};

const saidByMembers = (object: object): Said => {
  const members = Object.entries(object).map(([key, inner]) => ({ key, ...said(inner) }));
  const present = members.filter(({ isNothing }) => !isNothing);
  const rest = Object.fromEntries(present.map((member) => [member.key, member.rest]));
  return { rest, isNothing: members.length > 0 && present.length === 0 };
};

const said = (value: unknown): Said => {
  if (typeof value === 'string')
    return value.trim() === '' ? { rest: '', isNothing: true } : { rest: value, isNothing: false };
  if (value === null) return { rest: value, isNothing: true };
  if (Array.isArray(value)) return saidByList(value.map(said));
  return typeof value === 'object' ? saidByMembers(value) : { rest: value, isNothing: false };
};

/**
 * The value without its empty parts: members and last items that are null or blank text, and
 * objects that contain nothing else (`{value: ''}`). Client libraries write fields that were never
 * set in this way.
 */
export const withoutEmpty = (value: unknown): unknown => said(value).rest;

/**
 * The most errors reported for one value: a small body can be wrong in tens of thousands of places.
 */
const MOST_VIOLATIONS = 100;

/**
 * The first hundred violations in a value; none if it has the schema's shape. Messages never repeat
 * the value: it may be personal data. `sent` is the value before its empty parts were removed.
 */
export const violationsOf = (schema: TSchema, value: unknown, sent = value): Violation[] => {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).slice(0, 4 * MOST_VIOLATIONS);
  const shown = errors.filter((error) => !isNoise(error, errors)).slice(0, MOST_VIOLATIONS);
  return shown.map((error) => violationOf(error, sent));
};

/**
 * The first violation in a value, or undefined: for values so large that a list of all violations
 * would not fit into memory.
 */
export const firstViolationOf = (schema: TSchema, value: unknown): Violation[] => {
  const validate = firstErrorValidatorOf(schema);
  return validate(value) ? [] : (validate.errors ?? []).slice(0, 1).map((error) => violationOf(error, value));
};

/**
 * A value as a reader accepts it (invariant 12): without unknown fields, which a newer release may
 * have written. Everything else must have the schema's shape. The result has no unknown fields, so
 * it may be stored and sent on.
 */
export const readTolerantly = (schema: TSchema, value: unknown): { value: unknown; violations: Violation[] } => {
  const violations = violationsOf(schema, value);
  if (violations.length === 0) return { value, violations };
  const known = Value.Clean(schema, structuredClone(value));
  return { value: known, violations: violationsOf(schema, known) };
};
