import { describe, expect, test } from '@jest/globals';
import { areTwo, nameInClaims, personIdOf, shownName } from './person.ts';
import {
  type Grant,
  grantFor,
  groupsIn,
  isLive,
  isStillGranted,
  isUseDue,
  PLACE,
  type StaffSession,
} from './sign-in.ts';

const grants: Grant[] = [
  { group: 'suite', role: 'ADMINISTRATOR' },
  { group: 'acme', role: 'TENANT_ADMINISTRATOR', tenantId: 'acme' },
  { group: 'desk', role: 'OPERATOR', tenantId: 'acme' },
  { group: 'desk', role: 'OPERATOR', tenantId: 'umbrella' },
];

describe('the grants of groups', () => {
  test.each([
    ['console', ['desk'], undefined, 'acme'],
    ['console', ['desk'], 'umbrella', 'umbrella'],
    ['admin', ['desk', 'acme'], undefined, 'acme'],
  ] as const)('%s for %j at %s', (page, groups, tenantId, expected) =>
    expect(grantFor(grants, groups, { page, tenantId })?.tenantId).toBe(expected),
  );
  test.each([
    ['console', ['suite', 'acme'], undefined],
    ['admin', ['desk'], undefined],
    ['console', ['desk'], 'another'],
    ['admin', [], undefined],
  ] as const)('no %s for %j at %s', (page, groups, tenantId) =>
    expect(grantFor(grants, groups, { page, tenantId })).toBeUndefined(),
  );
  test.each([
    [{ groups: ['a', 7, 'b'] }, 'groups', ['a', 'b']],
    [{ groups: 'a' }, 'groups', ['a']],
    [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
    [{ 'https://x.example/roles': ['a'] }, 'https://x.example/roles', ['a']],
    [{}, 'constructor.name', []],
    [{ groups: { a: true } }, 'groups', []],
  ])('are read from %j by %s', (claims, name, expected) => expect(groupsIn(claims, name)).toEqual(expected));
});

describe('a session', () => {
  const at = (seconds: number): Date => new Date(1_700_000_000_000 + seconds * 1000);
  const rules = { sessionSeconds: 100, idleSeconds: 30 };
  const session: StaffSession = {
    ...{ _id: 's', tokenHash: 'h', page: 'console', personId: 'person-1', group: 'desk', role: 'OPERATOR' },
    ...{ tenantId: 'acme', createdAt: at(0), usedAt: at(0), expiresAt: at(100) },
  };
  test('ends when it is not used, and at its end however much it is used', () => {
    expect(isLive(session, rules, at(29))).toBe(true);
    expect(isLive(session, rules, at(30))).toBe(false);
    expect(isLive({ ...session, usedAt: at(99) }, rules, at(99))).toBe(true);
    expect(isLive({ ...session, usedAt: at(99) }, rules, at(100))).toBe(false);
    expect(isLive({ ...session, endedAt: at(1) }, rules, at(2))).toBe(false);
  });
  test('has its last use stored at least every tenth of the idle time', () => {
    expect(isUseDue(session, rules, at(2))).toBe(false);
    expect(isUseDue(session, rules, at(3))).toBe(true);
  });
  test('ends with the grant that it was begun with', () => {
    expect(isStillGranted(grants, session)).toBe(true);
    expect(isStillGranted(grants.slice(0, 2), session)).toBe(false);
    expect(isStillGranted(grants, { ...session, role: 'ADMINISTRATOR' })).toBe(false);
  });
});

test.each(['/', '/cases/0b5f', '/tenants/a%20b/identities/x'])('%s is a place in a page', (place) =>
  expect(PLACE.test(place)).toBe(true),
);
test.each([
  '',
  'cases',
  'https://evil.example',
  '/\\evil.example',
  '/a\r\nset-cookie:x',
  '/"><script>',
  `/${'a'.repeat(400)}`,
])('%j is no place in a page', (place) => expect(PLACE.test(place)).toBe(false));

test('a name is one line without invisible characters', () => {
  expect(nameInClaims({ name: ' Ann\u202e\n Other ', sub: 's' })).toBe('Ann Other');
  expect(nameInClaims({ given_name: 'Ann', family_name: 'Other', sub: 's' })).toBe('Ann Other');
  expect(nameInClaims({ name: 7, preferred_username: 'ann', sub: 's' })).toBe('ann');
  expect(nameInClaims({ sub: 's' })).toBe('s');
  expect(shownName('a'.repeat(500))).toHaveLength(120);
});

test('two people are two, and so are two keys without a person; a person and a key without one may be the same', () => {
  const [ann, bob] = [personIdOf('a'), personIdOf('b')];
  expect([areTwo(ann, bob), areTwo('key-1', 'key-2')]).toEqual([true, true]);
  expect([areTwo(ann, ann), areTwo('key-1', 'key-1'), areTwo(ann, 'key-1'), areTwo('key-1', ann)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
