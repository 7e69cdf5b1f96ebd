import { Ajv2020, type ErrorObject as AjvError, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { FORMATS } from './formats.ts';
import { DATES_IN_ORDER, SOME_MEMBER } from './shapes/submissions.ts';
import { isNoise, messageOf } from './violation-words.ts';

// ajv-formats is CommonJS: under ESM its function is the module's default.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

const memberOf = (node: unknown, step: string): unknown =>
  typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[step] : undefined;

const createAjv = (allErrors: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    ...{ allErrors, verbose: true, strict: true, strictTypes: false, ownProperties: true },
    // Half of the time of compiling, which each start pays for, and no gain when a value is
    // examined.
    code: { optimize: false },
  });
  addFormats(ajv, ['date-time']);
  ajv.addKeyword({
    keyword: DATES_IN_ORDER,
    type: 'object',
    schemaType: 'array',
    validate: ([first = '', second = '']: string[], dates: Record<string, unknown>) => {
      const [before, after] = [first, second].map((path) => path.split('.').reduce(memberOf, dates as unknown));
      return typeof before !== 'string' || typeof after !== 'string' || before <= after;
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
 * One thing wrong with a value: `field` is the dotted path from the root
 * (`personalAttributes.dateOfBirth`, `[0].validityPeriod.to`).
 */
export interface Violation {
  field: string;
  message: string;
}

/** The way from a value to the null or the blank text that it says nothing by. */
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

/** A number is an index of a list, and the name of a member of anything else (`dataGroups.1`). */
const dotted = (steps: readonly string[], root: unknown): string => {
  let node = root;
  return steps.reduce((path, step) => {
    const isIndex = Array.isArray(node);
    node = memberOf(node, step);
    return isIndex ? `${path}[${step}]` : path ? `${path}.${step}` : step;
  }, '');
};

/** Where an error is in what was sent. What was sent empty is named down to the blank text. */
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

/** True when the value has the schema's shape. The validator is compiled once a schema. */
export const matches = <S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  validatorOf(schema)(value) === true;

const DEEPEST = 32;
/**
 * Nested deeper than anything the service takes: whoever walks through it would run out of stack.
 */
export const isTooDeep = (value: unknown, depth = 0): boolean =>
  depth > DEEPEST ||
  (typeof value === 'object' && value !== null && Object.values(value).some((inner) => isTooDeep(inner, depth + 1)));

/** What is left of a value without what says nothing, and whether that is nothing at all. */
interface Said {
  rest: unknown;
  isNothing: boolean;
}

/**
 * A list without the items at its end that say nothing, such as a middle name that was never filled
 * in; an item before others keeps its place.
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
 * The value without the members and the last items that are null or a blank text, and without the
 * objects that hold nothing else (`{value: ''}`): client libraries write fields that were never set
 * so, and they say nothing.
 */
export const withoutEmpty = (value: unknown): unknown => said(value).rest;

/** Errors reported of one value: a small body can be wrong in tens of thousands of places. */
const MOST_VIOLATIONS = 100;

/**
 * What is wrong with a value, the first hundred things of it; empty when it has the schema's shape.
 * Messages never repeat the value: it may be personal data. `sent` is what the value was before it
 * lost what says nothing.
 */
export const violationsOf = (schema: TSchema, value: unknown, sent = value): Violation[] => {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).slice(0, 4 * MOST_VIOLATIONS);
  const shown = errors.filter((error) => !isNoise(error, errors)).slice(0, MOST_VIOLATIONS);
  return shown.map((error) => violationOf(error, sent));
};

/**
 * The first thing that is wrong with a value, or nothing: for values so large that all that is
 * wrong with them would not fit into memory.
 */
export const firstViolationOf = (schema: TSchema, value: unknown): Violation[] => {
  const validate = firstErrorValidatorOf(schema);
  return validate(value) ? [] : (validate.errors ?? []).slice(0, 1).map((error) => violationOf(error, value));
};

/**
 * A value as a reader takes it (invariant 12): with unknown fields left out, which a newer release
 * may have written; everything else must have the schema's shape. What stays is exact, so that it
 * may be stored and sent on.
 */
export const readTolerantly = (schema: TSchema, value: unknown): { value: unknown; violations: Violation[] } => {
  const violations = violationsOf(schema, value);
  if (violations.length === 0) return { value, violations };
  const known = Value.Clean(schema, structuredClone(value));
  return { value: known, violations: violationsOf(schema, known) };
};
