import { ERRORS, type ErrorName, present } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import { type TSchema, Type } from 'typebox';
import { isStaffRole, type SignInPage } from '../domain/sign-in.ts';
import { codeSamples } from './code-samples.ts';
import examples from './examples.json' with { type: 'json' };
import { named, namedSchemas } from './named-schemas.ts';
import { WEBHOOKS } from './openapi-webhooks.ts';
import type { ReplyShape, RequestBody, Route } from './route.ts';

/** Refusals that every route with a key can give. */
const ALWAYS: readonly ErrorName[] = [
  'UNAUTHENTICATED',
  'WRONG_ROLE',
  'METHOD_NOT_ALLOWED',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UPSTREAM',
  'UNAVAILABLE',
];
const OF_POST: readonly ErrorName[] = ['BAD_FIELD', 'IDEMPOTENCY_RUNNING', 'IDEMPOTENCY_MISMATCH', 'REQUEST_TIMEOUT'];
/** Refusals of a body that is read at all. */
const OF_BODY: readonly ErrorName[] = ['BAD_FIELD', 'REQUEST_TIMEOUT', 'UNSUPPORTED_MEDIA_TYPE', 'BODY_TOO_LARGE'];

export interface RouteGroup {
  /** Base path, without a slash at the end. */
  base: string;
  /** The page whose sessions are good here beside keys. */
  page?: SignInPage;
  routes: readonly Route[];
}

/** From calls of the tests (`npm run examples`), by the route's id. */
const EXAMPLES: Readonly<Record<string, { request?: unknown; reply?: unknown }>> = examples;

const problem = (names: readonly ErrorName[]) => ({
  description: [...new Set(names)].map((name) => `${ERRORS[name].code} ${ERRORS[name].title}`).join('; '),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** Every refusal a route can give, by HTTP status. */
const refusalsOf = (route: Route): Record<string, ErrorName[]> => {
  const names = [
    ...ALWAYS,
    ...(route.path.includes('{') || route.method === 'post' ? (['NOT_FOUND'] as const) : []),
    ...(route.method === 'post' ? OF_POST : []),
    ...(route.body ? OF_BODY : []),
    ...(route.roles.some(isStaffRole) ? (['FOREIGN_ORIGIN'] as const) : []),
    ...route.errors,
  ];
  const byStatus: Record<string, ErrorName[]> = {};
  for (const name of new Set(names)) {
    const entry: { code: string; status?: number } = ERRORS[name];
    const status = String(entry.status ?? 500);
    byStatus[status] = [...(byStatus[status] ?? []), name];
  }
  return byStatus;
};

const requestBody = (body: RequestBody, example: unknown) => {
  switch (body.kind) {
    case 'json':
      return {
        required: body.mayBeAbsent !== true,
        content: { 'application/json': { schema: body.shown ?? body.schema, ...present({ example }) } },
      };
    case 'creation':
      return {
        required: false,
        content: {
          'application/json': { schema: {}, ...present({ example }) },
          'multipart/form-data': { schema: body.schema },
        },
      };
    case 'form': {
      const entries = Object.entries(body.parts).map(([name, { description, file, repeated }]) => {
        const one = file ? { type: 'string', format: 'binary' } : { type: 'string' };
        return [name, repeated ? { type: 'array', items: one, description } : { ...one, description }] as const;
      });
      const required = Object.entries(body.parts).flatMap(([name, part]) => (part.required ? [name] : []));
      const schema = {
        type: 'object',
        properties: Object.fromEntries(entries),
        ...(required.length ? { required } : {}),
      };
      return { required: true, content: { 'multipart/form-data': { schema } } };
    }
  }
};

const replyBody = ({ description, schema, contentType }: ReplyShape, example: unknown) => ({
  description,
  ...(schema ? { content: { 'application/json': { schema, ...present({ example }) } } } : {}),
  ...(contentType ? { content: { [contentType]: { schema: { type: 'string', format: 'binary' } } } } : {}),
});

const parametersOf = (route: Route) => [
  ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  ...Object.entries(route.query ?? {}).map(([name, description]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'string' },
  })),
  ...(route.method === 'post'
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'A repeat of the request with the same key, within 24 hours, has no further effect',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
        },
      ]
    : []),
];

/** The samples once more in words, for pages that do not know them by their own name. */
const inWords = (samples: ReturnType<typeof codeSamples>): string =>
  samples.map(({ lang, source }) => `\n\n\`\`\`${lang.toLowerCase()}\n${source}\n\`\`\``).join('');

const operationOf = (route: Route, path: string) => ({
  operationId: route.id,
  summary: route.summary,
  description: `Roles: ${route.roles.join(', ')}.${inWords(codeSamples(route, path))}`,
  tags: [route.tag],
  security: [{ apikey: [] }, ...(route.roles.includes('USER_AGENT') ? [{ session: [] }] : [])],
  parameters: parametersOf(route),
  ...present({ requestBody: route.body && requestBody(route.body, EXAMPLES[route.id]?.request) }),
  responses: {
    [String(route.reply.status ?? 200)]: replyBody(route.reply, EXAMPLES[route.id]?.reply),
    ...Object.fromEntries(Object.entries(refusalsOf(route)).map(([status, names]) => [status, problem(names)])),
  },
  'x-codeSamples': codeSamples(route, path),
});

interface OpenRoute {
  id: string;
  summary: string;
  contentType: string;
  /** Of a reply in JSON. */
  schema?: TSchema;
  /** Names in its path; what is not found under them is 404. */
  names?: readonly string[];
}

const open = ({ id, summary, contentType, schema, names = [] }: OpenRoute) => ({
  get: {
    operationId: id,
    summary,
    tags: ['Public'],
    security: [],
    ...(names.length > 0
      ? { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) }
      : {}),
    responses: {
      '200': {
        description: summary,
        content: { [contentType]: { schema: schema ?? {}, ...present({ example: EXAMPLES[id]?.reply }) } },
      },
      ...(names.length > 0 ? { '404': problem(['NOT_FOUND']) } : {}),
      '405': problem(['METHOD_NOT_ALLOWED']),
      '503': problem(['UNAVAILABLE']),
    },
  },
});

const PEM = 'application/x-pem-file';
const HEALTHCHECK: OpenRoute = {
  id: 'healthcheck',
  summary: 'Whether the service answers',
  contentType: 'application/json',
  schema: Type.Object({ status: Type.Literal('UP'), version: Type.String() }),
};
const PUBLISHED = table<OpenRoute>({
  '/.well-known/jwks.json': {
    id: 'jwks',
    summary: 'The keys that verify proofs',
    contentType: 'application/json',
    schema: Type.Object({
      keys: Type.Array(
        Type.Object(
          { kty: Type.String(), kid: Type.String(), n: Type.String(), e: Type.String() },
          { description: 'RFC 7517' },
        ),
      ),
    }),
  },
  '/.well-known/signing-key.pem': {
    id: 'signingKey',
    summary: 'The current key that verifies proofs',
    contentType: PEM,
  },
  '/.well-known/signing-certificate.pem': {
    id: 'signingCertificate',
    summary: 'The current key that verifies proofs, in a self-signed certificate',
    contentType: PEM,
  },
  '/schemas': {
    id: 'schemas',
    summary: 'Names of the JSON Schemas of a proof',
    contentType: 'application/json',
    schema: Type.Object({ items: Type.Array(Type.String()) }),
  },
  '/schemas/{name}': {
    id: 'schema',
    summary: 'The JSON Schema of one file of a proof',
    contentType: 'application/schema+json',
    names: ['name'],
  },
});

const ABOUT = `Identity proofing. A client creates an identity, records consents and submits evidence; the service checks each piece, reports a level of assurance, and hands over a signed proof.

1. \`POST identities\`, 2. \`POST identities/{identityId}/consents\`, 3. \`POST .../id-documents/capture\` and \`.../attributes/portrait/capture\`, 4. wait until nothing is PROCESSING, 5. \`GET .../proof\`.

Every call carries a key in the header \`apikey\`, or the token of a user-agent session. A POST may carry an \`Idempotency-Key\`. Errors are [problems with codes](/docs/errors); a verification that fails is none: the evidence says so. A [sandbox](/docs/sandbox) has every outcome on purpose.`;

/** openapi.json, made of the very routes and schemas the server registers and validates with. */
export const openApiOf = (groups: readonly RouteGroup[], prefix: string, version: string): object => {
  const paths: Record<string, Record<string, unknown>> = {
    [`/${prefix}/healthcheck`]: open(HEALTHCHECK),
    ...Object.fromEntries(Object.entries(PUBLISHED).map(([path, route]) => [path, open(route)])),
  };
  for (const { base, routes } of groups)
    for (const route of routes) {
      const path = `${base}${route.path}`;
      paths[path] = { ...paths[path], [route.method]: operationOf(route, path) };
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Assay', version, description: ABOUT, license: { name: 'Apache-2.0' } },
    paths: named(paths),
    webhooks: named(WEBHOOKS),
    components: {
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey' },
        session: { type: 'http', scheme: 'bearer', description: 'the token of a user-agent session' },
      },
      schemas: namedSchemas(),
    },
  };
};
