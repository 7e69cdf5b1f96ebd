import { LanguageTag, TenantSettingsSchema } from '@assay/contracts';
import { ok } from '@assay/http';
import { Type } from 'typebox';
import { ROLES } from '../domain/roles.ts';
import { HANDOVERS, STEPS } from '../domain/user-agent-session.ts';
import type { GivenSession, UserAgentSessionFlow } from '../flows/user-agent-sessions.ts';
import { baseOf, type CallOf, identityIdOf, param } from './call.ts';
import { type Route, route } from './route.ts';

const DAY = 86_400;
const Steps = Type.Array(Type.Enum([...STEPS]), { minItems: 1, maxItems: STEPS.length, uniqueItems: true });
const RequestSchema = Type.Object({
  expiresInSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: DAY, description: '1800 by default' })),
  returnUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      format: 'whole-characters',
      description: 'with an origin of allowedOrigins',
    }),
  ),
  locale: Type.Optional(LanguageTag),
  steps: Type.Optional(Steps),
  allowedOrigins: Type.Optional(
    Type.Array(Type.String(), { maxItems: 50, description: "some of the tenant's; all of them by default" }),
  ),
});
const GivenSchema = Type.Object({
  sessionId: Type.String(),
  token: Type.String({ description: 'shown this once; sent as Authorization: Bearer' }),
  url: Type.String({ description: 'the capture page, with the token in the fragment' }),
  expireAt: Type.String(),
});
const CurrentSchema = Type.Object({
  identityId: Type.String(),
  steps: Steps,
  locale: Type.Optional(Type.String()),
  returnUrl: Type.Optional(Type.String()),
  expireAt: Type.String(),
  evidenceIds: Type.Optional(
    Type.Object(
      { DOCUMENT: Type.Array(Type.String()), CHIP: Type.Array(Type.String()) },
      { description: 'documents by images and chips, oldest first; absent while there is no evidence at all' },
    ),
  ),
  page: Type.Unsafe({
    ...TenantSettingsSchema.properties.capture,
    description: "the tenant's settings of the capture page",
  }),
});
const HandoverSchema = Type.Object({
  handover: Type.Enum([...HANDOVERS], {
    description:
      'WAITING: its address was not opened yet; TAKEN: another device has the session; DONE: all steps are done there',
  }),
});

interface Deps {
  sessions: UserAgentSessionFlow;
  /** Address of the gateway as its clients see it; that of the request where it is absent. */
  publicUrl?: string | undefined;
}

const common = { tag: 'User-agent sessions' };
const AT = '/identities/{identityId}/user-agent-sessions';

const givingRoutes = ({ sessions, publicUrl }: Deps): Route[] => {
  const given = (call: CallOf<never>, session: GivenSession) =>
    ok({ ...session, url: `${baseOf(call.request, publicUrl)}/capture#${session.token}` });
  return [
    route({
      ...common,
      id: 'createUserAgentSession',
      method: 'post',
      path: AT,
      summary: 'Give one device leave to act for this identity',
      roles: ROLES.RELYING_SERVICE,
      body: { kind: 'json', schema: RequestSchema, nullIsAbsent: true, mayBeAbsent: true },
      reply: { description: 'The session; its address is good for one device', schema: GivenSchema },
      errors: ['BAD_FIELD', 'CLOSED', 'STATE_CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
      handle: async (call) => given(call, await sessions.create(call, identityIdOf(call), call.body)),
    }),
    route({
      ...common,
      id: 'handOverUserAgentSession',
      ofSession: true,
      method: 'post',
      path: `${AT}/handover`,
      summary: 'Move the session to another device; asked with the token of the session',
      roles: ROLES.USER_AGENT,
      reply: { description: 'An address for the other device; its first use moves the session', schema: GivenSchema },
      errors: ['CLOSED', 'SESSION_ELSEWHERE', 'STATE_CONFLICT'],
      handle: async (call) => given(call, await sessions.handOver(call, identityIdOf(call))),
    }),
  ];
};

const followingRoutes = ({ sessions }: Deps): Route[] => [
  route({
    ...common,
    id: 'getHandover',
    method: 'get',
    path: '/user-agent-sessions/handover',
    summary: 'What became of a handover; asked with the token that handed over',
    roles: ROLES.USER_AGENT,
    forFollowers: true,
    reply: { description: 'How far it has come', schema: HandoverSchema },
    errors: ['NOT_FOUND', 'SESSION_ELSEWHERE'],
    handle: async (call) => ok(await sessions.handover(call)),
  }),
  route({
    ...common,
    id: 'takeBackUserAgentSession',
    method: 'delete',
    path: '/user-agent-sessions/handover',
    summary: 'Go on at the device that handed over; the token of the other becomes invalid',
    roles: ROLES.USER_AGENT,
    forFollowers: true,
    reply: { description: 'NONE; DONE where all steps were done before', schema: HandoverSchema },
    errors: ['NOT_FOUND', 'SESSION_ELSEWHERE'],
    handle: async (call) => ok(await sessions.takeBack(call)),
  }),
  route({
    ...common,
    id: 'finishUserAgentSession',
    ofSession: true,
    method: 'post',
    path: '/user-agent-sessions/current/done',
    summary: 'Say that the person has been through all steps; a device that handed over goes on',
    roles: ROLES.USER_AGENT,
    reply: { description: 'Noted' },
    errors: ['SESSION_ELSEWHERE'],
    handle: async (call) => {
      await sessions.done(call);
      return { status: 200 };
    },
  }),
];

/**
 * User-agent sessions: a token for one device and one identity in place of a key (specification,
 * User-agent sessions).
 */
export const userAgentSessionRoutes = (deps: Deps): Route[] => [
  ...givingRoutes(deps),
  ...followingRoutes(deps),
  route({
    ...common,
    id: 'deleteUserAgentSession',
    method: 'delete',
    path: `${AT}/{sessionId}`,
    summary: 'End a session',
    roles: ROLES.RELYING_SERVICE,
    reply: { description: 'Ended; its token answers 401 from now on' },
    errors: ['CLOSED'],
    handle: async (call) => {
      await deps.sessions.delete(call, identityIdOf(call), param(call, 'sessionId'));
      return { status: 200 };
    },
  }),
  route({
    ...common,
    id: 'getUserAgentSession',
    method: 'get',
    path: '/user-agent-sessions/current',
    summary: 'The session whose token asks',
    roles: ROLES.USER_AGENT,
    reply: { description: 'What the page has to know', schema: CurrentSchema },
    errors: ['NOT_FOUND', 'CLOSED', 'SESSION_ELSEWHERE'],
    handle: async (call) => ok(await deps.sessions.current(call)),
  }),
];
