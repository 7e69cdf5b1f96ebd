import { violationsOf } from '@assay/contracts';
import type { Clock, Log } from '@assay/runtime';
import { type Static, Type } from 'typebox';
import { type Grant, STAFF_ROLES } from '../domain/sign-in.ts';
import { createOpenId } from './openid.ts';

const GrantSchema = Type.Object({
  role: Type.Enum([...STAFF_ROLES]),
  tenantId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
const GroupsSchema = Type.Record(Type.String(), Type.Union([GrantSchema, Type.Array(GrantSchema)]));

export interface SignInConfig {
  OIDC_ISSUER: string | undefined;
  OIDC_CLIENT_ID: string | undefined;
  OIDC_CLIENT_SECRET: string | undefined;
  OIDC_CLIENT_AUTH: string;
  OIDC_SCOPES: string;
  OIDC_GROUPS_CLAIM: string;
  OIDC_GROUPS: string | undefined;
  OIDC_LABEL: string;
  SESSION_SECONDS: number;
  SESSION_IDLE_SECONDS: number;
}

interface Deps {
  now: Clock;
  log: Log;
}

const wrong = (name: string, why: string): Error => new Error(`configuration: ${name} ${why}`);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('OIDC_GROUPS', 'is no JSON');
  }
};

/** @throws where a group gives what no role is */
const grantsIn = (text: string): Grant[] => {
  const value = parsed(text);
  const [violation] = violationsOf(GroupsSchema, value);
  if (violation) throw wrong('OIDC_GROUPS', `${violation.field}: ${violation.message}`);
  const grants = Object.entries(value as Static<typeof GroupsSchema>).flatMap(([group, given]) =>
    [given].flat().map((grant): Grant => ({ group, ...grant })),
  );
  const odd = grants.find(({ role, tenantId }) => (role === 'ADMINISTRATOR') !== (tenantId === undefined));
  if (odd) throw wrong('OIDC_GROUPS', `${odd.group}: ADMINISTRATOR has no tenantId, every other role has one`);
  return grants;
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @throws where it is no address, or one by which anybody on the way could sign in */
const isPlain = (issuer: string, mayBePlain: boolean): boolean => {
  if (!URL.canParse(issuer)) throw wrong('OIDC_ISSUER', 'is no address');
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'https:') return false;
  if (protocol === 'http:' && (mayBePlain || LOOPBACK.test(hostname))) return true;
  throw wrong('OIDC_ISSUER', 'is not https');
};

/**
 * Sign-in by OpenID Connect as it is configured; undefined where there is no issuer.
 * @throws where the configuration has a gap
 */
export const openSignIn = (config: SignInConfig, mayBePlain: boolean, { now, log }: Deps) => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_GROUPS: groups, OIDC_CLIENT_AUTH: clientAuth } = config;
  if (issuer === undefined) return undefined;
  if (clientId === undefined) throw wrong('OIDC_CLIENT_ID', 'is missing');
  if (groups === undefined) throw wrong('OIDC_GROUPS', 'is missing: without it nobody may do anything');
  if (clientAuth !== 'client_secret_basic' && clientAuth !== 'client_secret_post')
    throw wrong('OIDC_CLIENT_AUTH', 'is neither client_secret_basic nor client_secret_post');
  const groupsClaim = config.OIDC_GROUPS_CLAIM;
  const openId = createOpenId({
    issuer,
    clientId,
    clientSecret: config.OIDC_CLIENT_SECRET,
    clientAuth,
    scopes: config.OIDC_SCOPES,
    groupsClaim,
    mayBePlain: isPlain(issuer, mayBePlain),
    now,
    log,
  });
  return {
    openId,
    issuer,
    label: config.OIDC_LABEL,
    groupsClaim,
    grants: grantsIn(groups),
    sessionSeconds: config.SESSION_SECONDS,
    idleSeconds: config.SESSION_IDLE_SECONDS,
  };
};
