import { quietLog } from '@assay/testing';
import { describe, expect, test } from '@jest/globals';
import { openSignIn, type SignInConfig } from './sign-in-config.ts';

const TENANT = '00000000-0000-4000-8000-0000000000aa';
const config = (more: Partial<SignInConfig> = {}): SignInConfig => ({
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'assay',
  OIDC_CLIENT_SECRET: 'a secret',
  OIDC_CLIENT_AUTH: 'client_secret_basic',
  OIDC_SCOPES: 'openid',
  OIDC_GROUPS_CLAIM: 'groups',
  OIDC_GROUPS: JSON.stringify({ desk: { role: 'OPERATOR', tenantId: TENANT } }),
  OIDC_LABEL: 'Sign in',
  SESSION_SECONDS: 3600,
  SESSION_IDLE_SECONDS: 600,
  ...more,
});
const open = (more: Partial<SignInConfig> = {}, mayBePlain = false) =>
  openSignIn(config(more), mayBePlain, { now: () => new Date(), log: quietLog });
const groups = (value: unknown) => ({ OIDC_GROUPS: JSON.stringify(value) });

describe('the configuration of the sign-in', () => {
  test('given no issuer, then there is none, whatever else is set', () => {
    expect(open({ OIDC_ISSUER: undefined, OIDC_GROUPS: 'not read' })).toBeUndefined();
  });

  test('given a group with one role and a group with several, then each role is one grant', () => {
    const desk = { role: 'OPERATOR', tenantId: TENANT };
    const both = [{ role: 'ADMINISTRATOR' }, { role: 'TENANT_ADMINISTRATOR', tenantId: TENANT }];
    expect(open(groups({ desk, both }))?.grants).toEqual([
      { group: 'desk', ...desk },
      { group: 'both', ...both[0] },
      { group: 'both', ...both[1] },
    ]);
  });

  test.each<[string, Partial<SignInConfig>, string]>([
    ['no client id', { OIDC_CLIENT_ID: undefined }, 'OIDC_CLIENT_ID is missing'],
    ['no groups', { OIDC_GROUPS: undefined }, 'OIDC_GROUPS is missing'],
    ['another way to authenticate', { OIDC_CLIENT_AUTH: 'private_key_jwt' }, 'OIDC_CLIENT_AUTH is neither'],
    ['groups that are no JSON', { OIDC_GROUPS: '{desk' }, 'OIDC_GROUPS is no JSON'],
    ['a role of clients', groups({ desk: { role: 'RELYING_SERVICE', tenantId: TENANT } }), 'OIDC_GROUPS desk'],
    ['an operator without a tenant', groups({ desk: { role: 'OPERATOR' } }), 'desk: ADMINISTRATOR has no tenantId'],
    [
      'an administrator with a tenant, behind a good grant',
      groups({
        desk: [
          { role: 'OPERATOR', tenantId: TENANT },
          { role: 'ADMINISTRATOR', tenantId: TENANT },
        ],
      }),
      'desk: ADMINISTRATOR has no tenantId',
    ],
    ['an issuer that is no URL', { OIDC_ISSUER: 'id.example' }, 'OIDC_ISSUER is no address'],
    ['an issuer by plain HTTP', { OIDC_ISSUER: 'http://id.example' }, 'OIDC_ISSUER is not https'],
    ['an issuer named like this machine', { OIDC_ISSUER: 'http://127.0.0.1.example' }, 'OIDC_ISSUER is not https'],
    ['an issuer of another scheme', { OIDC_ISSUER: 'ftp://localhost' }, 'OIDC_ISSUER is not https'],
  ])('given %s, then the service does not start, and says which variable is wrong', (_what, more, message) => {
    expect(() => open(more)).toThrow(message);
  });

  test.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
    'given the issuer %s on the same machine, then plain HTTP is accepted',
    (issuer) => expect(open({ OIDC_ISSUER: issuer })?.issuer).toBe(issuer),
  );

  test('given a development machine, then any issuer may use plain HTTP, but must be a URL', () => {
    expect(open({ OIDC_ISSUER: 'http://id.example' }, true)?.issuer).toBe('http://id.example');
    expect(() => open({ OIDC_ISSUER: 'mailto:id' }, true)).toThrow('is not https');
  });
});
