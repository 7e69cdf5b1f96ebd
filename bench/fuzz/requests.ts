import { present } from '@assay/contracts';
import fc from 'fast-check';
import { nearly, type Resolve, type Schema, valid } from './arbitrary.ts';
import type { Role, Subjects } from './subjects.ts';

interface Operation {
  description?: string;
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}
export interface PlacedOperation {
  path: string;
  method: string;
  operation: Operation;
}
/** One request as it is sent. */
export interface Sent extends PlacedOperation {
  url: string;
  headers: Record<string, string>;
  body: string | FormData | undefined;
}
export interface Surroundings {
  resolve: Resolve;
  subjects: Subjects;
  tenantIds: readonly string[];
  apikeys: Readonly<Record<Role, string>>;
}

interface Body {
  type?: string;
  body?: string | FormData;
}

const broken: fc.Arbitrary<Body> = fc.constantFrom(
  { type: 'application/json', body: '{' },
  { type: 'application/json', body: '' },
  { type: 'application/json; charset=latin1', body: '{}' },
  { type: 'text/plain', body: 'x' },
  { type: 'multipart/form-data', body: 'x' },
  { type: 'multipart/form-data; boundary=B', body: '--B\r\n' },
);

const formOf = (schema: Schema, subjects: Subjects): fc.Arbitrary<Body> => {
  const names = [...Object.keys(schema.properties ?? {}), 'Other'];
  const bytes = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...subjects.images) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }) },
    { weight: 1, arbitrary: fc.constantFrom('FRONT', '[{"key":"a","value":"b"}]', '{"documentType":"PASSPORT"}') },
  );
  return fc.array(fc.tuple(fc.constantFrom(...names), bytes), { maxLength: 3 }).map((parts) => {
    const form = new FormData();
    for (const [name, content] of parts)
      if (typeof content === 'string') form.append(name, content);
      else form.append(name, new Blob([new Uint8Array(content)]), 'f');
    return { body: form };
  });
};

const bodyOf = ({ requestBody }: Operation, { resolve, subjects }: Surroundings): fc.Arbitrary<Body> => {
  const kinds = Object.entries(requestBody?.content ?? {}).map(([type, media]) => {
    const schema = media.schema?.$ref ? resolve(media.schema.$ref) : (media.schema ?? {});
    if (type.startsWith('multipart')) return formOf(schema, subjects);
    return fc
      .oneof({ weight: 3, arbitrary: valid(schema, resolve) }, { weight: 2, arbitrary: nearly(schema, resolve) })
      .map((value): Body => ({ type: 'application/json', body: JSON.stringify(value) ?? '' }));
  });
  if (kinds.length === 0)
    return fc.oneof({ weight: 6, arbitrary: fc.constant<Body>({}) }, { weight: 1, arbitrary: broken });
  return fc.oneof({ weight: 8, arbitrary: fc.oneof(...kinds) }, { weight: 1, arbitrary: broken });
};

const strange = fc.oneof(
  fc.uuid(),
  fc.string({ minLength: 1, maxLength: 30 }).filter((text) => !/^\.{1,2}$/.test(text)),
  fc.constantFrom('..%2f..', '%00', '%ff', '%zz', 'a'.repeat(5000)),
);
const encoded = (value: string): string => (/^(%|\.\.%)/.test(value) ? value : encodeURIComponent(value));

/**
 * The parameters of a path: all of one subject, so that they belong together, with something
 * strange now and then.
 */
const placed = (path: string, { subjects, tenantIds }: Surroundings): fc.Arbitrary<string> => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  if (names.length === 0) return fc.constant(path);
  const good = fc.constantFrom(...subjects.identities).chain((subject) =>
    fc.constantFrom(...tenantIds).map((tenantId) => {
      const known: Record<string, string> = { ...subject, tenantId, iso3CountryCode: 'AUS', keyId: subjects.keyId };
      return names.map((name) => known[name] ?? crypto.randomUUID());
    }),
  );
  const odd = fc.tuple(good, strange, fc.nat()).map(([values, value, at]) => values.with(at % values.length, value));
  return fc
    .oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: odd })
    .map((values) => names.reduce((at, name, i) => at.replace(`{${name}}`, encoded(values[i]!)), path));
};

const QUERY = [
  '1',
  '0',
  '-1',
  '200',
  '201',
  'x',
  '',
  'true',
  'OPEN',
  'DELIVERED',
  'MjAyNi0wMS0wMSB4',
  '2026-01-01T00:00:00.000',
];
const queryOf = ({ parameters = [] }: Operation): fc.Arbitrary<string> => {
  const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  if (names.length === 0) return fc.constant('');
  return fc
    .array(fc.tuple(fc.constantFrom(...names), fc.oneof(fc.constantFrom(...QUERY), fc.string({ maxLength: 20 }))), {
      maxLength: 3,
    })
    .map((pairs) => (pairs.length ? `?${new URLSearchParams(pairs)}` : ''));
};

const rolesOf = ({ description }: Operation): Role[] =>
  (/Roles: ([A-Z_, ]+)\./.exec(description ?? '')?.[1]?.split(', ') ?? []) as Role[];

/** Requests for one operation. */
export const requestFor = (at: PlacedOperation, around: Surroundings): fc.Arbitrary<Sent> => {
  const { apikeys, subjects } = around;
  const every = Object.values(apikeys);
  const roles = rolesOf(at.operation);
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(roles.length ? roles.map((role) => apikeys[role]) : every)) },
    { weight: 1, arbitrary: fc.constantFrom(...every, 'none', '') },
  );
  const once = fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('k-1', 'k-2', ' ', 'a'.repeat(256), subjects.keyId) },
  );
  return fc
    .record({
      concrete: placed(at.path, around),
      query: queryOf(at.operation),
      apikey: key,
      once,
      sent: at.method === 'get' ? fc.constant<Body>({}) : bodyOf(at.operation, around),
    })
    .map(({ concrete, query, apikey, once: idempotencyKey, sent }) => ({
      ...at,
      url: `${concrete}${query}`,
      headers: {
        ...(apikey ? { apikey } : {}),
        ...(sent.type ? { 'content-type': sent.type } : {}),
        ...present({ 'idempotency-key': idempotencyKey }),
      },
      body: sent.body,
    }));
};
