import {
  EvaluationNotificationSchema,
  StatusNotificationSchema,
  violationsOf,
  WaitingNotificationSchema,
} from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import examples from './examples.json' with { type: 'json' };
import { openApiOf } from './openapi.ts';
import { WEBHOOKS } from './openapi-webhooks.ts';
import { routeGroups } from './routes.ts';

interface Operation {
  operationId: string;
  description: string;
  'x-codeSamples'?: { lang: string; source: string }[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

// Only the tables are looked at here: no route is called.
const groups = routeGroups({ policies: { list: () => [], named: () => undefined }, rabbitmq: {} } as never).map(
  ({ base, routes }) => ({ base: base.replace('{prefix}', 'svc'), routes }),
);
const document = openApiOf(groups, 'svc', '1') as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: object;
  components: { schemas: Record<string, object> };
};
const text = JSON.stringify(document);

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
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
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

  test('shows what was asked and answered, in examples that its own schemas accept', () => {
    const routes = new Map(groups.flatMap(({ routes }) => routes).map((route) => [route.id, route]));
    expect(Object.keys(examples).filter((id) => !routes.has(id))).toEqual([]);
    const wrong = Object.entries<{ request?: unknown; reply?: unknown }>(examples).flatMap(
      ([id, { request, reply }]) => {
        const { body, reply: shape } = routes.get(id)!;
        const asked =
          body?.kind === 'json' && request !== undefined ? violationsOf(body.shown ?? body.schema, request) : [];
        const answered = shape.schema && reply !== undefined ? violationsOf(shape.schema, reply) : [];
        return [...asked, ...answered].map((violation) => `${id}: ${JSON.stringify(violation)}`);
      },
    );
    expect(wrong).toEqual([]);
    expect(Object.keys(examples).length).toBeGreaterThan(70);
    const creation = document.paths['/svc/v1/identities']?.post?.responses['200'] as
      | { content: Record<string, { example?: unknown }> }
      | undefined;
    expect(creation?.content['application/json']?.example).toEqual(examples.createIdentity.reply);
  });

  test('tells of the webhooks, with examples that are true', () => {
    expect(Object.keys(document.webhooks)).toEqual(['Evaluation', 'AdjudicationWaiting', 'IdentityStatusUpdate']);
    const exampleOf = (name: keyof typeof WEBHOOKS) =>
      WEBHOOKS[name].post.requestBody.content['application/json'].example;
    expect(violationsOf(EvaluationNotificationSchema, exampleOf('Evaluation'))).toEqual([]);
    expect(violationsOf(StatusNotificationSchema, exampleOf('IdentityStatusUpdate'))).toEqual([]);
    expect(violationsOf(WaitingNotificationSchema, exampleOf('AdjudicationWaiting'))).toEqual([]);
  });
});
