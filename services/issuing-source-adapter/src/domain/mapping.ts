import { Exact, INDICATOR_NAMES, type IndicatorName, OneOf } from '@assay/contracts';
import { type Static, Type } from 'typebox';
import { compared, type Match, type SourceAnswer } from './answer.ts';
import type { Values } from './document.ts';
import { type QuestionField, sourceFields } from './source.ts';

const RESULTS = ['VERIFIED', 'FAILED', 'UNVERIFIED', 'OUTAGE'] as const;
const Pointer = Type.String({ pattern: '^(/.*)?$', description: 'a JSON pointer (RFC 6901) into the reply' });
const Words = Type.Record(Type.String(), OneOf(RESULTS));

const ComparisonSchema = Exact({ pointer: Pointer, ok: Type.Array(Type.String()), failed: Type.Array(Type.String()) });

const ComparisonsSchema = Type.Partial(
  Exact(
    Object.fromEntries(INDICATOR_NAMES.fieldComparison.map((name) => [name, ComparisonSchema])) as Record<
      (typeof INDICATOR_NAMES.fieldComparison)[number],
      typeof ComparisonSchema
    >,
  ),
);

/**
 * How to ask a source that speaks JSON over HTTP, and how to read what it says. `{{name}}` stands
 * for a value (docs/issuing-sources.md).
 */
export const MappedSourceSchema = Exact({
  ...sourceFields,
  request: Exact({
    method: OneOf(['POST', 'PUT', 'GET']),
    url: Type.String({ minLength: 1 }),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: Type.Optional(Type.Unknown()),
  }),
  reply: Exact({
    /** Where the reply repeats the id of the check; a reply with another id is not accepted. */
    echo: Type.Optional(Pointer),
    reference: Type.Optional(Pointer),
    /** HTTP statuses other than 200 that are answers. */
    statuses: Type.Optional(Words),
    result: Exact({ pointer: Pointer, values: Words }),
    comparisons: Type.Optional(ComparisonsSchema),
  }),
});
export type MappedSource = Static<typeof MappedSourceSchema>;

/**
 * The values of placeholders: fields of the question by their names, `checkId`, `type`,
 * `jurisdiction`, `credentials.*`.
 */
export type Substitutes = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\{\{([\w.]+)\}\}/g;
const ALONE = /^\{\{([\w.]+)\}\}$/;

/** A text with its placeholders filled; absent values leave nothing. */
export const fillText = (text: string, values: Substitutes, encode: (value: string) => string = (value) => value) =>
  text.replace(PLACEHOLDER, (_all, name: string) => encode(values[name] ?? ''));

/**
 * A body with its placeholders filled. A property or item that is one placeholder without a value
 * is left out.
 */
export const fillBody = (template: unknown, values: Substitutes): unknown => {
  if (typeof template === 'string') {
    const alone = ALONE.exec(template)?.[1];
    return alone === undefined ? fillText(template, values) : values[alone];
  }
  if (Array.isArray(template))
    return template.map((item) => fillBody(item, values)).filter((item) => item !== undefined);
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, inner]) => [name, fillBody(inner, values)] as const)
      .filter(([, inner]) => inner !== undefined),
  );
};

/** The value at a JSON pointer, as text; undefined where there is none. */
export const valueAt = (document: unknown, pointer: string): string | undefined => {
  const steps = pointer.split('/').slice(1);
  const found = steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, step)
          ? (at as Record<string, unknown>)[step]
          : undefined,
      document,
    );
  return found === undefined || found === null || typeof found === 'object' ? undefined : String(found);
};

export type MappedReply =
  | { kind: 'ANSWER'; answer: SourceAnswer; reference?: string }
  | { kind: 'OUTAGE'; outage: 'FAULT' | 'UNREADABLE' };

const matchOf = (said: string | undefined, { ok, failed }: { ok: string[]; failed: string[] }): Match =>
  said === undefined ? undefined : ok.includes(said) ? true : failed.includes(said) ? false : undefined;

/**
 * The meaning of a value of the source by the mapping; nothing if it has none (also for
 * `constructor`).
 */
const meaningOf = (word: string | undefined, words: Static<typeof Words>) =>
  word !== undefined && Object.hasOwn(words, word) ? words[word] : undefined;

/** The values of a question that a mapping sends. */
const askedOfMapped = ({ request }: MappedSource, values: Values): QuestionField[] => {
  const sent = JSON.stringify([request.url, request.body, request.headers]);
  return (Object.keys(values) as QuestionField[]).filter((field) => sent.includes(`{{${field}}}`));
};

/**
 * Reads a reply by its mapping. `values`: the values that were asked. A value that the mapping does
 * not have is never an answer.
 */
export const readMapped = (
  source: MappedSource,
  status: number,
  document: unknown,
  { checkId, values }: { checkId: string; values: Values },
): MappedReply => {
  const { reply } = source;
  if (reply.echo !== undefined && status === 200 && valueAt(document, reply.echo) !== checkId)
    return { kind: 'OUTAGE', outage: 'UNREADABLE' };
  const word = valueAt(document, reply.result.pointer);
  const result = status === 200 ? meaningOf(word, reply.result.values) : reply.statuses?.[String(status)];
  if (result === undefined) return { kind: 'OUTAGE', outage: 'UNREADABLE' };
  if (result === 'OUTAGE') return { kind: 'OUTAGE', outage: 'FAULT' };
  const comparisons = Object.entries(reply.comparisons ?? {}) as [IndicatorName, Static<typeof ComparisonSchema>][];
  const raised = comparisons.map(([name, comparison]) =>
    compared(name, matchOf(valueAt(document, comparison.pointer), comparison)),
  );
  const reference = reply.reference === undefined ? undefined : valueAt(document, reply.reference);
  return {
    kind: 'ANSWER',
    answer: { result, raised, asked: askedOfMapped(source, values) },
    ...(reference ? { reference } : {}),
  };
};
