/**
 * `npm run examples [-- PATHS]`: runs stories of the suite and takes from their calls one example
 * of each operation of the API, for openapi.json and the reference on /docs. Keys, tokens and long
 * values are cut. The examples are in services/gateway/src/http/examples.json.
 *
 * With PATHS of tests it runs those, and takes of them only the examples that are missing.
 * EXAMPLES=FOLDER takes the calls that an earlier run left in FOLDER.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';

answerHelp(import.meta.filename);

const STORIES = [
  'tests/(admin|chip|doctor|idempotency|in-force|policies|proof-always|sandbox|second-suite|states|webhooks)',
  // What they answer is the gateway's alone: no neighbour is played for it.
  'services/gateway/src/http/(admin-dead-letters|sign-in)',
];
const EXAMPLES = 'services/gateway/src/http/examples.json';
/** An example that is longer than this is shown only where there is no shorter one. */
const MOST = 2500;
const LONGEST_VALUE = 120;
const SECRETS = new Set(['apiKey', 'token', 'secret', 'secrets', 'password']);

const paths = process.argv.slice(2);
const folder = process.env.EXAMPLES ?? mkdtempSync(join(tmpdir(), 'assay-examples-'));
if (!process.env.EXAMPLES) {
  const { status } = spawnSync('npm', ['test', '--', ...(paths.length > 0 ? paths : STORIES)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, EXAMPLES: folder },
  });
  // What failed may have answered anything: no example is taken of it.
  if (status !== 0) process.exit(status ?? 1);
}

/** What is cut of base64 stays base64. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const cut = (value, length) => (value.length > length ? `${value.slice(0, length)}…` : value);
/** A value without what is secret or nobody reads. */
const shown = (value, name) => {
  if (typeof value === 'string') {
    if (SECRETS.has(name)) return cut(value, 6);
    if (value.length > LONGEST_VALUE && BASE64.test(value)) return value.slice(0, 40);
    return /^https?:.*#/.test(value) ? cut(value, value.indexOf('#') + 6) : cut(value, LONGEST_VALUE);
  }
  if (Array.isArray(value)) return value.slice(0, 2).map((each) => shown(each, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each, key)]));
};

const openApi = JSON.parse(
  execFileSync('npx', ['--no-install', 'tsx', 'services/gateway/src/http/print-openapi.ts'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, requestBody, responses }]) => ({
    operationId,
    method: method.toUpperCase(),
    status: Number(Object.keys(responses).find((status) => status < '300')),
    asksJson: requestBody !== undefined && 'application/json' in requestBody.content,
    answersJson: Object.entries(responses).some(
      ([status, { content = {} }]) => status < '300' && 'application/json' in content,
    ),
    names: [...path.matchAll(/\{/g)].length,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  })),
);
/** A path without names in it comes before one that a name would also match. */
const operationOf = (call) =>
  operations
    .filter(({ method, pattern }) => method === call.method && pattern.test(call.path))
    .sort((a, b) => a.names - b.names)[0];

const sizeOf = (example) => JSON.stringify(example).length;
/** Whether it shows both sides, and of a list what is in it. */
const isWhole = ({ asksJson, answersJson }, example) =>
  example !== undefined &&
  asksJson === (example.request !== undefined) &&
  answersJson === (example.reply !== undefined) &&
  example.reply?.items?.length !== 0;
/** The fullest example that is still short, else the shortest; before all, one that is whole. */
const better = (operation, one, other) => {
  if (!other) return one;
  const whole = [one, other].filter((example) => isWhole(operation, example));
  if (whole.length === 1) return whole[0];
  const [a, b] = [sizeOf(one), sizeOf(other)];
  const isOneBetter = a <= MOST && b <= MOST ? a > b : a < b;
  return isOneBetter ? one : other;
};

const former = paths.length > 0 ? JSON.parse(readFileSync(join(root, EXAMPLES), 'utf8')) : {};
const examples = Object.fromEntries(
  operations.flatMap((operation) => {
    const example = former[operation.operationId];
    return isWhole(operation, example) ? [[operation.operationId, example]] : [];
  }),
);
const fixed = new Set(Object.keys(examples));
for (const file of readdirSync(folder))
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
    const call = JSON.parse(line);
    const operation = operationOf(call);
    if (!operation || call.status !== operation.status || fixed.has(operation.operationId)) continue;
    const { request, reply } = shown(call);
    // Nothing is shown of what is JSON of another kind, as a schema is: cut, it would say
    // otherwise.
    const isShown = operation.answersJson && reply !== undefined;
    const example = { ...(request === undefined ? {} : { request }), ...(isShown ? { reply } : {}) };
    if (Object.keys(example).length === 0) continue;
    examples[operation.operationId] = better(operation, example, examples[operation.operationId]);
  }
const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(join(root, EXAMPLES), `${JSON.stringify(sorted, null, 2)}\n`);
execFileSync('npx', ['--no-install', 'biome', 'format', '--write', EXAMPLES], { cwd: root, stdio: 'ignore' });
const lacking = operations.filter((operation) => {
  const { operationId, asksJson, answersJson } = operation;
  return (asksJson || answersJson) && !isWhole(operation, sorted[operationId]);
});
console.log(`${Object.keys(sorted).length} of ${operations.length} operations have an example`);
console.log(`missing: ${lacking.map(({ operationId }) => operationId).join(' ') || 'none'}`);
