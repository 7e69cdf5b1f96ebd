import { expect, test } from '@jest/globals';
import { createCredentials } from './credentials.ts';

test('a tenant’s own credentials come before everybody’s', () => {
  const credentialsOf = createCredentials({ default: { dvs: { key: 'a' } }, tenants: { acme: { dvs: { key: 'b' } } } });
  expect(credentialsOf('dvs', 'acme')).toEqual({ key: 'b' });
  expect(credentialsOf('dvs', 'other')).toEqual({ key: 'a' });
  expect(credentialsOf('aamva', 'acme')).toBeUndefined();
});

test.each([
  [[], 'the whole '],
  [null, 'the whole '],
  [{ default: { dvs: 'a secret' } }, 'default.dvs '],
  [{ tenants: { acme: { dvs: { key: 7 } } } }, 'tenants.acme.dvs.key '],
])('a file of another shape is refused by its variable and the place, without its values: %j', (file, place) => {
  const refused = expect(() => createCredentials(file));
  refused.toThrow(`configuration: CREDENTIALS_FILE: ${place}`);
  refused.not.toThrow('a secret');
});
