import {
  EvaluationNotificationSchema,
  StatusNotificationSchema,
  violationsOf,
  WaitingNotificationSchema,
} from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import type { TSchema } from 'typebox';
import examples from './examples.json' with { type: 'json' };
import { openApiOf } from './openapi.ts';
import { WEBHOOKS } from './openapi-webhooks.ts';
import { routeGroups } from './routes.ts';

interface Operation {
  operationId: string;
  description: string;
  'x-codeSamples'?: { lang: string; source: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
type Content = Record<string, { schema: TSchema; example?: unknown }>;

// Only the tables are read here: no route is called.
const groups = routeGroups({ policies: { list: () => [], named: () => undefined }, rabbitmq: {} } as never).map(
  ({ base, routes }) => ({ base: base.replace('{prefix}', 'svc'), routes }),
);
const document = openApiOf(groups, 'svc', '1') as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: object;
  components: { schemas: Record<string, object> };
};
const text = JSON.stringify(document);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const json = (content: Content = {}) =>
  Object.entries(content).flatMap(([type, shown]) => (/[/+]json$/.test(type) ? shown : []));
const repliesOf = (responses: Operation['responses']): Content =>
  Object.assign({}, ...Object.entries(responses).map(([status, { content }]) => (status < '300' ? content : {})));

/** Schemas that cannot have an example, and the reason. */
const WITHOUT_EXAMPLE = {
  'schema: reply': 'a part of a JSON Schema is another schema; each is whole at /schemas/{name}',
};

describe('the OpenAPI document', () => {
  test('has each shape once, under its name', () => {
    const { schemas } = document.components;
    const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in schemas))).toEqual([]);
    expect(Object.keys(schemas).filter((name) => !named.includes(name))).toEqual([]);
    const identity = document.paths['/svc/v1/identities/{identityId}']?.get?.responses['200'];
    expect(identity?.content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Identity' });
  });

  test('shows each call in three languages', () => {
    const sampled = operations.filter((operation) => operation['x-codeSamples']);
    expect(sampled.length).toBeGreaterThan(60);
    for (const { operationId, 'x-codeSamples': samples = [] } of sampled) {
      expect(samples.map(({ lang }) => lang)).toEqual(['Shell', 'TypeScript', 'Python']);
      for (const { source } of samples.slice(1)) expect(source).toContain(operationId);
    }
    const consents = document.paths['/svc/v1/identities/{identityId}/consents']?.post?.['x-codeSamples'];
    expect(document.paths['/svc/v1/identities/{identityId}/consents']?.post?.description).toContain(
      "```typescript\nawait assay.call('submitConsents'",
    );
    expect(consents?.map(({ source }) => source)).toEqual([
      `curl -s -X POST -H "apikey: $KEY" -H 'content-type: application/json' -d @body.json "$SUITE/svc/v1/identities/$identityId/consents"`,
      "await assay.call('submitConsents', { path: { identityId }, body });",
      'assay.call("submitConsents", path={"identityId": identityId}, body=body)',
    ]);
  });

  test('shows requests and replies in examples that its own schemas accept', () => {
    const routes = new Map(groups.flatMap(({ routes }) => routes).map((route) => [route.id, route]));
    const shown = operations.filter(({ operationId }) => operationId in examples);
    expect(Object.keys(examples)).toEqual(shown.map(({ operationId }) => operationId).sort());
    const wrong = shown.flatMap(({ operationId, requestBody, responses }) => {
      const { body, reply } = routes.get(operationId) ?? {};
      const asked = json(requestBody?.content).flatMap(({ schema, example }) =>
        violationsOf(body?.kind === 'json' ? (body.shown ?? body.schema) : schema, example),
      );
      const answered = json(repliesOf(responses)).flatMap(({ schema, example }) =>
        violationsOf(reply?.schema ?? schema, example),
      );
      return [...asked, ...answered].map((violation) => `${operationId}: ${JSON.stringify(violation)}`);
    });
    expect(wrong).toEqual([]);
  });

  test('refuses unknown members in every act of administrators', () => {
    const open = (schema: unknown, at: string): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      const inner = Object.entries(schema).flatMap(([name, each]) => open(each, `${at}.${name}`));
      const isOpen = 'properties' in schema && 'type' in schema && !('additionalProperties' in schema);
      return isOpen ? [at, ...inner] : inner;
    };
    const acts = groups.filter(({ base }) => base === '/admin/v1').flatMap(({ routes }) => routes);
    expect(acts.filter(({ body }) => body).length).toBeGreaterThan(8);
    expect(acts.flatMap(({ id, body }) => open(body, id))).toEqual([]);
  });

  test('names, for every call that sends a body, what becomes of one that is wrong, late, too large or of another type', () => {
    const sending = operations.filter(({ requestBody }) => requestBody);
    expect(sending.length).toBeGreaterThan(30);
    const lacking = sending.flatMap(({ operationId, responses }) =>
      ['400', '408', '413', '415']
        .filter((status) => !(status in responses))
        .map((status) => `${operationId}: ${status}`),
    );
    expect(lacking).toEqual([]);
  });

  test('describes in words every form of a text in a request, for use in refusals', () => {
    const bare = (schema: unknown, at: string): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      const inner = Object.entries(schema).flatMap(([name, each]) => bare(each, `${at}.${name}`));
      const isBare = 'pattern' in schema && typeof schema.pattern === 'string' && !('description' in schema);
      return isBare ? [at, ...inner] : inner;
    };
    const bodies = groups.flatMap(({ routes }) => routes).flatMap(({ id, body }) => bare(body, id));
    expect(bodies).toEqual([]);
  });

  test('has an example of every request and every reply in JSON, and no empty list for one (npm run examples)', () => {
    const missing = operations.flatMap(({ operationId, requestBody, responses }) => {
      const asked = json(requestBody?.content).map(({ example }) => ['request', example] as const);
      const answered = json(repliesOf(responses)).map(({ example }) => ['reply', example] as const);
      const isMissing = (example: unknown) => example === undefined || /^{"items":\[\]/.test(JSON.stringify(example));
      return [...asked, ...answered].flatMap(([side, example]) =>
        isMissing(example) ? `${operationId}: ${side}` : [],
      );
    });
    expect(missing).toEqual(Object.keys(WITHOUT_EXAMPLE));
  });

  test('describes the webhooks, with examples of their schemas', () => {
    expect(Object.keys(document.webhooks)).toEqual(['Evaluation', 'AdjudicationWaiting', 'IdentityStatusUpdate']);
    const exampleOf = (name: keyof typeof WEBHOOKS) =>
      WEBHOOKS[name].post.requestBody.content['application/json'].example;
    expect(violationsOf(EvaluationNotificationSchema, exampleOf('Evaluation'))).toEqual([]);
    expect(violationsOf(StatusNotificationSchema, exampleOf('IdentityStatusUpdate'))).toEqual([]);
    expect(violationsOf(WaitingNotificationSchema, exampleOf('AdjudicationWaiting'))).toEqual([]);
  });
});
