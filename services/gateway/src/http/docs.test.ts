import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, KEY_ROLES } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { openApiOf } from './openapi.ts';
import { routeGroups } from './routes.ts';

const doc = (name: string): string => readFileSync(join(import.meta.dirname, '../../../../docs', name), 'utf8');
// Only the tables are read here: no route is called.
const groups = routeGroups({ policies: { list: () => [], named: () => undefined }, rabbitmq: {} } as never);
const routes = groups.flatMap(({ base, routes: all }) => all.map((route) => ({ base, ...route })));

describe('the documentation matches the code', () => {
  const errors = doc('errors.md');
  test.each(Object.entries(ERRORS))(
    'docs/errors.md has %s',
    (name, entry: { code: string; status?: number; title: string }) => {
      const rows = errors.split('\n').filter((line) => line.includes(` | ${name} | `));
      expect(rows).toContain(`| ${entry.code} | ${entry.status ?? '–'} | ${name} | ${entry.title} |`);
    },
  );
  test('docs/errors.md names no error that does not exist', () => {
    const named = [...errors.matchAll(/^\| \d{4} \| [^|]+ \| (\w+) \|/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(Object.keys(ERRORS).sort());
  });

  const roles = doc('roles.md');
  test.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.base}${route.path}`, route] as const))(
    'docs/roles.md has %s',
    (name, route) => {
      const column = (role: string) => (route.roles.includes(role as never) ? 'yes' : 'no');
      const marks = KEY_ROLES.map(column).join(' | ');
      const rows = roles.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`));
      expect(rows).toEqual([`| \`${name}\` | ${marks} |`]);
    },
  );
});

test('every route is described once, with every status it may answer', () => {
  const { paths } = openApiOf(groups, 'svc', '1') as {
    paths: Record<string, Record<string, { operationId: string; responses: object }>>;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(routes.map(({ id }) => id)));
  for (const { responses } of operations.filter(({ responses: replies }) => '401' in replies))
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '401', '403', '405', '429', '500', '503']));
});
