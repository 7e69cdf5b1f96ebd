/**
 * `npm run fuzz [-- --requests N] [--seed N]`: reads the OpenAPI document of a running suite (TEST_STACK_FILE or .run/stack.json) and sends it requests made from
 * its own schemas: right ones, nearly right ones and odd ones, with every role, on identities of two tenants. Fails on any 5xx, any status the document does not
 * name for the operation, and any JSON reply that does not have the documented shape.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FORMATS } from '@assay/contracts';
import { newTenant, readStack } from '@assay/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { nearly, type Schema, valid } from './fuzz/arbitrary.ts';

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string' } },
});
process.env.TEST_STACK_FILE ??= join(import.meta.dirname, '../.run/stack.json');
const total = Number(options.requests);
const seed = options.seed ? Number(options.seed) : Math.floor(Math.random() * 2 ** 31);

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

const { baseUrl, keys } = readStack();
const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
const resolve = (reference: string): Schema => document.components?.schemas?.[reference.split('/').at(-1)!] ?? {};
const ajv = new Ajv2020({ strict: false, allErrors: false });
for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, { type: 'string', validate });
ajv.addFormat('date-time', true).addFormat('binary', true).addFormat('uuid', true);
ajv.addSchema({ $id: 'document', components: document.components });
const shapeOf = (schema: Schema) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')));

const limits = { limits: { requestsPerMinute: 10_000_000 } };
const tenants = [await newTenant('fuzz', limits), await newTenant('fuzz neighbour', limits)];
const apikeys = [...tenants.flatMap((tenant) => Object.values(tenant.keys)), keys.admin, 'none', ''];
const identities: string[] = [];
const identityOf = async (of: number): Promise<void> => {
  const { body } = await tenants[of]!.relyingService.post('/svc/v1/identities', {});
  identities.push(body.id);
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, operation]) => ({ path, method, operation })),
);

const bodyOf = (operation: Operation): fc.Arbitrary<{ type?: string; body?: string | FormData }> => {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (!type) return fc.constant({});
  const schema = media?.schema ?? {};
  const json = fc
    .oneof(valid(schema, resolve), nearly(schema, resolve))
    .map((value) => ({ type: 'application/json', body: JSON.stringify(value) ?? '' }));
  const broken = fc.constantFrom(
    { type: 'application/json', body: '{' },
    { type: 'text/plain', body: 'x' },
    { type: 'multipart/form-data', body: 'x' },
    { type: 'multipart/form-data; boundary=B', body: '--B\r\n' },
  );
  if (type.startsWith('multipart')) {
    const names = [...Object.keys((schema.$ref ? resolve(schema.$ref) : schema).properties ?? {}), 'Other'];
    const form = fc
      .array(fc.tuple(fc.constantFrom(...names), fc.uint8Array({ maxLength: 400 })), { maxLength: 3 })
      .map((parts) => {
        const data = new FormData();
        for (const [name, bytes] of parts) data.append(name, new Blob([bytes]), 'f');
        return { body: data };
      });
    return fc.oneof({ weight: 3, arbitrary: form }, { weight: 1, arbitrary: broken });
  }
  return fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: broken });
};

const parameter = (name: string) =>
  /identity/i.test(name)
    ? fc.oneof(
        { weight: 6, arbitrary: fc.nat().map((at) => identities[at % identities.length]!) },
        {
          weight: 1,
          arbitrary: fc.oneof(
            fc.uuid(),
            fc.string({ minLength: 1, maxLength: 30 }),
            fc.constantFrom('..%2f..', '%00', '%ff', 'a'.repeat(5000)),
          ),
        },
      )
    : /tenant/i.test(name)
      ? fc.constantFrom(tenants[0]!.tenantId, 'none', '%00')
      : fc.oneof(fc.uuid(), fc.constantFrom('AUS', 'USA', 'none', '%zz'), fc.string({ minLength: 1, maxLength: 20 }));
const encoded = (value: string): string => (/^(%|\.\.%)/.test(value) ? value : encodeURIComponent(value));

const request = fc.constantFrom(...operations).chain(({ path, method, operation }) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  return fc.record({
    operation: fc.constant(operation),
    method: fc.constant(method),
    path: fc.constant(path),
    values: fc.tuple(...names.map(parameter)),
    key: fc.oneof(
      { weight: 5, arbitrary: fc.constant(apikeys[0]!) },
      { weight: 1, arbitrary: fc.constantFrom(...apikeys) },
      { weight: 1, arbitrary: fc.constant(keys.admin) },
      { weight: 1, arbitrary: fc.constant(apikeys[2]!) },
    ),
    init: method === 'get' ? fc.constant<{ type?: string; body?: string | FormData }>({}) : bodyOf(operation),
    names: fc.constant(names),
  });
});

const counts = new Map<string, number>();
const failures: string[] = [];
const send = async ({
  operation,
  method,
  path,
  values,
  names,
  key,
  init,
}: typeof request extends fc.Arbitrary<infer R> ? R : never): Promise<void> => {
  const concrete = names.reduce((at, name, i) => at.replace(`{${name}}`, encoded(values[i]!)), path);
  const response = await fetch(`${baseUrl}${concrete}`, {
    method: method.toUpperCase(),
    headers: { ...(key ? { apikey: key } : {}), ...(init.type ? { 'content-type': init.type } : {}) },
    ...(init.body === undefined ? {} : { body: init.body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  counts.set(String(response.status), (counts.get(String(response.status)) ?? 0) + 1);
  const fail = (why: string): void => {
    failures.push(
      `${method.toUpperCase()} ${path} -> ${response.status}: ${why}; sent ${typeof init.body === 'string' ? init.body.slice(0, 200) : '(form)'}`,
    );
  };
  if (response.status >= 500) return fail('a failure of the server');
  const documented = operation.responses[String(response.status)] ?? operation.responses.default;
  if (!documented) return fail('the status is not documented');
  const type = response.headers.get('content-type') ?? '';
  if (!/json/.test(type) || bytes.length === 0) return;
  const schema = Object.entries(documented.content ?? {}).find(([name]) => type.startsWith(name))?.[1]?.schema;
  if (!schema) return fail(`${type} is not documented`);
  const check = shapeOf(schema);
  if (!check(JSON.parse(bytes.toString('utf8'))))
    fail(`the reply is not of the documented shape: ${check.errors?.[0]?.instancePath} ${check.errors?.[0]?.message}`);
};

console.log(`${operations.length} operations, ${total} requests, seed ${seed}`);
const PER_ROUND = 200;
for (let done = 0; done < total; done += PER_ROUND) {
  identities.length = 0;
  await Promise.all([identityOf(0), identityOf(0), identityOf(1)]);
  const batch = fc.sample(request, { numRuns: Math.min(PER_ROUND, total - done), seed: seed + done });
  for (let at = 0; at < batch.length; at += 8) await Promise.all(batch.slice(at, at + 8).map(send));
}
console.table(Object.fromEntries([...counts].sort()));
for (const failure of [...new Set(failures)].slice(0, 40)) console.error(failure);
console.log(
  failures.length === 0
    ? 'no failure of the server and no undocumented reply'
    : `${failures.length} replies were not as documented`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
