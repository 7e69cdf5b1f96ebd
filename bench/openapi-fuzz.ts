/**
 * npm run fuzz:api [-- --requests N] [--seed N]
 *
 * Reads the OpenAPI document of a running suite (TEST_STACK_FILE or .run/stack.json) and sends it
 * requests made from its own schemas: right ones, nearly right ones and odd ones, mostly with a
 * role that may call, on identities of two tenants that have consents, an evidence and an open
 * session. Fails on any 5xx, any status the document does not name for the operation, and any JSON
 * reply that does not have the documented shape.
 *   --requests N   how many requests (10000)
 *   --seed N       repeats the requests of an earlier run, which printed its seed
 */
import { join } from 'node:path';
import { FORMATS, present } from '@assay/contracts';
import { readStack } from '@assay/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readArguments } from '../scripts/arguments.mjs';
import type { Schema } from './fuzz/arbitrary.ts';
import { type Document, requestFor, type Sent } from './fuzz/requests.ts';
import { prepare } from './fuzz/subjects.ts';

const options = readArguments(import.meta.filename, {
  requests: { type: 'string', default: '10000' },
  seed: { type: 'string' },
});
process.env.TEST_STACK_FILE ??= join(import.meta.dirname, '../.run/stack.json');
const total = Number(options.requests);
const seed = options.seed ? Number(options.seed) : Math.floor(Math.random() * 2 ** 31);

const { baseUrl, keys } = readStack();
const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
const resolve = (reference: string): Schema => document.components?.schemas?.[reference.split('/').at(-1)!] ?? {};
const ajv = new Ajv2020({ strict: false, allErrors: false });
for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, { type: 'string', validate });
ajv.addFormat('date-time', true).addFormat('binary', true).addFormat('uuid', true);
ajv.addSchema({ $id: 'document', components: document.components });
const shapeOf = (schema: Schema) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')));

const { tenantIds, apikeys, newRound } = await prepare(keys.admin);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, operation]) => ({ path, method, operation })),
);

const succeeded = new Set<string>();
const counts = new Map<string, number>();
const failures: string[] = [];
const send = async ({ operation, method, path, url, headers, body }: Sent): Promise<void> => {
  const response = await fetch(`${baseUrl}${url}`, {
    method: method.toUpperCase(),
    headers,
    ...present({ body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.ok) succeeded.add(`${method} ${path}`);
  counts.set(String(response.status), (counts.get(String(response.status)) ?? 0) + 1);
  const fail = (why: string): void => {
    failures.push(
      `${method.toUpperCase()} ${path} -> ${response.status}: ${why}; sent ${url.slice(0, 200)} ${typeof body === 'string' ? body.slice(0, 200) : '(form)'}`,
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
  const subjects = await newRound();
  const request = fc
    .constantFrom(...operations)
    .chain((operation) => requestFor(operation, { resolve, subjects, tenantIds, apikeys }));
  const batch = fc.sample(request, { numRuns: Math.min(PER_ROUND, total - done), seed: seed + done });
  for (let at = 0; at < batch.length; at += 8) await Promise.all(batch.slice(at, at + 8).map(send));
}
console.table(Object.fromEntries([...counts].sort()));
const never = operations.filter(({ path, method }) => !succeeded.has(`${method} ${path}`));
console.log(
  `operations that never succeeded: ${never.map(({ path, method }) => `${method} ${path}`).join(', ') || 'none'}`,
);
for (const failure of [...new Set(failures)].slice(0, 40)) console.error(failure);
console.log(
  failures.length === 0
    ? 'no failure of the server and no undocumented reply'
    : `${failures.length} replies were not as documented`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
