import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

/** Each parameter of a query with its route, but the one of endpoint 8 that changes nothing. */
const parameters = () =>
  rig.groups.flatMap(({ base, routes }) =>
    routes.flatMap((route) =>
      Object.keys(route.query ?? {})
        .filter((name) => name !== 'detailed')
        .map((name) => ({ name, ...route, at: `${base}${route.path}`.replace('{prefix}', 'svc') })),
    ),
  );

test('what a query has twice is refused by its name, on every route: it is no filter', async () => {
  const acme = await rig.tenant({ adjudication: { enabled: true } });
  const { id } = await created(acme.rs);
  const given: Record<string, string> = { tenantId: acme.tenantId, identityId: id };
  expect(parameters().length).toBeGreaterThan(30);
  const accepted: unknown[] = [];
  for (const { name, at, method, roles, errors } of parameters()) {
    const path = `${at.replace(/\{(\w+)\}/g, (_, key) => given[key] ?? 'none')}?${name}=a&${name}=b`;
    const by = roles.includes('OPERATOR') ? acme.op : rig.admin;
    const { status, body } = await (method === 'delete' ? by.delete(path) : by.get(path));
    const refused = { code: '1006', field: name, message: 'must be given once' };
    const isRefused = status === 400 && isDeepStrictEqual(body.errors, [refused]);
    if (!isRefused || !errors.includes('BAD_FIELD')) accepted.push([method, path, status, body?.errors, errors]);
  }
  expect(accepted).toEqual([]);
});

test('a place in the list of cases that no page gave is refused', async () => {
  const acme = await rig.tenant({ adjudication: { enabled: true } });
  for (const cursor of ['zzz', '~', '2026-05-01T11:59:30.000', '2026-05-01T11:59:30.000~']) {
    const { status, body } = await acme.op.get(`/operator/v1/cases?cursor=${cursor}`);
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'cursor']);
  }
});
