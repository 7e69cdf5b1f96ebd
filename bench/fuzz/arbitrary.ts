import fc from 'fast-check';

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  patternProperties?: Record<string, Schema>;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

export type Resolve = (reference: string) => Schema;

const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    Number.POSITIVE_INFINITY,
    '',
    '\u0000',
    '\ud800',
    '__proto__',
    '{"$gt":""}',
    '../../etc/passwd',
    [],
    {},
    { $gt: '' },
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer(),
  fc.jsonValue({ maxDepth: 2 }),
);

// fast-check draws no text for an assertion of what must not follow: such texts are sifted out.
const MUST_NOT_FOLLOW = /\(\?!(?:[^()]|\([^()]*\))*\)/g;

const matching = (pattern: string): fc.Arbitrary<string> => {
  const whole = new RegExp(pattern);
  return fc.stringMatching(new RegExp(pattern.replace(MUST_NOT_FOLLOW, ''))).filter((found) => whole.test(found));
};

const text = ({ format, pattern }: Schema): fc.Arbitrary<unknown> => {
  if (format === 'calendar-date' || format === 'date')
    return fc
      .date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2099-12-31') })
      .map((date) => date.toISOString().slice(0, 10));
  if (format === 'base64') return fc.base64String({ minLength: 4, maxLength: 400 });
  if (pattern) return matching(pattern);
  return fc.oneof(
    fc.string({ minLength: 1, maxLength: 30 }),
    fc.constantFrom('SPECIMEN', 'UTO', 'VA', 'NSW', 'AUS', 'USA', 'a@example.org'),
  );
};

/** Values of a schema's shape. */
export const valid = (schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> => {
  if (schema.$ref) return valid(resolve(schema.$ref), resolve);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => valid(each, resolve)));
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {}).map(
        ([name, inner]) => [name, valid(inner, resolve)] as const,
      );
      return fc.record(Object.fromEntries(entries), { requiredKeys: schema.required ?? [] });
    }
    case 'array':
      return fc.array(valid(schema.items ?? {}, resolve), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 100_000, 2 ** 31 - 1) });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return text(schema);
    default:
      return odd;
  }
};

/**
 * Values that nearly have the shape: one place of a good value replaced by something odd, or
 * something odd altogether.
 */
export const nearly = (schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(valid(schema, resolve), odd, fc.nat())
        .map(([value, strange, at]) => replaced(value, strange, at)),
    },
    { weight: 1, arbitrary: odd },
  );

const replaced = (value: unknown, strange: unknown, at: number): unknown => {
  if (typeof value !== 'object' || value === null) return strange;
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return strange;
  const inner = (value as Record<string, unknown>)[key];
  const next = at % 3 === 0 ? replaced(inner, strange, Math.floor(at / 3)) : strange;
  return Array.isArray(value) ? value.with(Number(key), next) : { ...value, [key]: next };
};
