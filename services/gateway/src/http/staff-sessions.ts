import { formatDateTime, KEY_ROLES, present, StaffSessionShape } from '@assay/contracts';
import { ApiError, ok, type Reply } from '@assay/http';
import { Type } from 'typebox';
import { ROLES } from '../domain/roles.ts';
import type { SignInPage, StaffSession } from '../domain/sign-in.ts';
import type { SignInFlow } from '../flows/sign-in.ts';
import type { ApiKeys } from '../store/api-keys.ts';
import type { People, Person } from '../store/people.ts';
import type { StaffSessions } from '../store/staff-sessions.ts';
import { type CallOf, param } from './call.ts';
import { cookieHeader } from './cookies.ts';
import { page, pageOf, pageQuery } from './page.ts';
import { type Route, route } from './route.ts';

export interface StaffSessionDeps {
  signInFlow: SignInFlow;
  people: People;
  apiKeys: Pick<ApiKeys, 'idsOfPerson'>;
  staffSessions: StaffSessions;
  publicUrl?: string | undefined;
}

const PersonSchema = Type.Object({
  personId: Type.String({ description: 'as the audit log and cases name the person' }),
  name: Type.String(),
  issuer: Type.Optional(Type.String({ description: 'who vouches for the person; absent of one named for a key' })),
  subject: Type.String({ description: 'what the issuer calls the person' }),
  signedInAt: Type.Optional(Type.String()),
});
const SessionSchema = Type.Object({
  sessionId: Type.String(),
  personId: Type.String(),
  name: Type.Optional(Type.String()),
  role: Type.Enum([...KEY_ROLES]),
  createdAt: Type.String(),
  usedAt: Type.String({ description: 'to the minute' }),
  expireAt: Type.String(),
});
const MeSchema = Type.Object({
  role: Type.Enum([...KEY_ROLES]),
  tenantId: Type.Optional(Type.String({ description: 'the one tenant that this administrator manages' })),
  name: Type.Optional(Type.String()),
  session: Type.Optional(StaffSessionShape),
});
const EndedSchema = Type.Object({ ended: Type.Integer() });

const personView = ({ personId, name, issuer, subject, signedInAt }: Person) => ({
  personId,
  name,
  subject,
  ...present({ issuer: issuer || undefined, signedInAt: signedInAt && formatDateTime(signedInAt) }),
});

const sessionView = (session: StaffSession, names: ReadonlyMap<string, string>) => ({
  sessionId: session._id,
  personId: session.personId,
  ...present({ name: names.get(session.personId) }),
  role: session.role,
  createdAt: formatDateTime(session.createdAt),
  usedAt: formatDateTime(session.usedAt),
  expireAt: formatDateTime(session.expiresAt),
});

/** What the caller's own session is, for a page; undefined of a key. */
export const ownSession = ({ staffSession }: CallOf<never>, { idleSeconds }: Pick<SignInFlow, 'idleSeconds'>) =>
  staffSession && { expireAt: formatDateTime(staffSession.expiresAt), idleSeconds };

const signOut =
  (on: SignInPage, { signInFlow, publicUrl }: StaffSessionDeps) =>
  async ({ staffSession, request }: CallOf<never>): Promise<Reply> => {
    if (!staffSession) throw new ApiError('NOT_FOUND', { message: 'a key has no session' });
    await signInFlow.end(staffSession._id);
    return { status: 200, headers: { 'set-cookie': cookieHeader(request, on, undefined, publicUrl) } };
  };

const signOutRoute = (on: SignInPage, id: string, deps: StaffSessionDeps): Route =>
  route({
    id,
    tag: on === 'console' ? 'Operators' : 'Administration',
    roles: on === 'console' ? ROLES.OPERATORS : ROLES.ADMINISTRATORS_OF_TENANT,
    audit: 'session.end',
    method: 'delete',
    path: '/session',
    summary: 'Sign out: end the session that asks',
    reply: { description: 'Ended; its cookie answers 401 from now on' },
    errors: ['NOT_FOUND'],
    handle: signOut(on, deps),
  });

/** The session of an operator. */
export const operatorSessionRoutes = (deps: StaffSessionDeps): Route[] => [
  signOutRoute('console', 'signOutOperator', deps),
];

const ofSuite = { tag: 'Administration', roles: ROLES.ADMINISTRATORS };
const ofTenant = { tag: 'Administration', roles: ROLES.ADMINISTRATORS_OF_TENANT };

/** Ends the sessions of a person first: who is forgotten is not signed in. */
const forgetPerson =
  ({ people, apiKeys, signInFlow }: StaffSessionDeps) =>
  async (call: CallOf<'personId'>): Promise<Reply> => {
    const personId = param(call, 'personId');
    const keys = await apiKeys.idsOfPerson(personId);
    if (keys.length > 0)
      throw new ApiError('STATE_CONFLICT', { message: `revoke the keys of this person first: ${keys.join(', ')}` });
    const ended = await signInFlow.endAll(personId);
    if (!(await people.delete(personId))) throw new ApiError('NOT_FOUND');
    return ok({ ended });
  };

const peopleRoutes = ({ people, signInFlow, ...deps }: StaffSessionDeps): Route[] => [
  route({
    ...ofSuite,
    id: 'listPeople',
    method: 'get',
    path: '/people',
    summary: 'Operators and administrators who signed in, or were named for a key',
    query: pageQuery,
    reply: { description: 'People', schema: page(PersonSchema) },
    errors: ['BAD_FIELD'],
    handle: async (call) => {
      const list = async (after: string | undefined, limit: number) =>
        (await people.list(after, limit)).map(personView);
      return ok(await pageOf(call, list, ({ personId }) => personId));
    },
  }),
  route({
    ...ofSuite,
    id: 'endSessionsOfPerson',
    audit: 'session.end',
    method: 'delete',
    path: '/people/{personId}/sessions',
    summary: 'End every session of a person, who can sign in again as long as the issuer admits it',
    reply: { description: 'How many', schema: EndedSchema },
    errors: [],
    handle: async (call) => ok({ ended: await signInFlow.endAll(param(call, 'personId')) }),
  }),
  route({
    ...ofSuite,
    id: 'deletePerson',
    audit: 'person.delete',
    method: 'delete',
    path: '/people/{personId}',
    summary: 'End the sessions of a person and forget name and subject; cases and audit log keep the personId',
    reply: { description: 'How many sessions ended', schema: EndedSchema },
    errors: ['STATE_CONFLICT'],
    handle: forgetPerson({ people, signInFlow, ...deps }),
  }),
];

const tenantRoutes = ({ people, staffSessions, signInFlow }: StaffSessionDeps): Route[] => [
  route({
    ...ofTenant,
    id: 'listTenantSessions',
    method: 'get',
    path: '/tenants/{tenantId}/sessions',
    summary: 'Who is signed in for this tenant',
    query: pageQuery,
    reply: { description: 'Sessions that have not ended', schema: page(SessionSchema) },
    errors: ['BAD_FIELD'],
    handle: async (call) => {
      const list = async (after: string | undefined, limit: number) => {
        const tenantId = param(call, 'tenantId');
        const found = await staffSessions.list({ tenantId }, after, limit);
        const names = await people.names(
          found.map(({ personId }) => personId),
          tenantId,
        );
        return found.map((session) => sessionView(session, names));
      };
      return ok(await pageOf(call, list, ({ sessionId }) => sessionId));
    },
  }),
  route({
    ...ofTenant,
    id: 'endTenantSessionsOfPerson',
    audit: 'session.end',
    method: 'delete',
    path: '/tenants/{tenantId}/people/{personId}/sessions',
    summary: 'End the sessions of a person for this tenant',
    reply: { description: 'How many', schema: EndedSchema },
    errors: [],
    handle: async (call) => ok({ ended: await signInFlow.endAll(param(call, 'personId'), param(call, 'tenantId')) }),
  }),
];

/** Who administers, and sessions of everybody. */
export const adminSessionRoutes = (deps: StaffSessionDeps): Route[] => [
  route({
    ...ofTenant,
    id: 'getAdministrator',
    method: 'get',
    path: '/me',
    summary: 'Who asks, and what for',
    reply: { description: 'The administrator', schema: MeSchema },
    errors: [],
    handle: async (call) => {
      const { role, tenant, personId = '' } = call;
      const name = (await deps.people.names([personId], tenant?.tenantId)).get(personId);
      return ok({
        role,
        ...present({ tenantId: tenant?.tenantId, name, session: ownSession(call, deps.signInFlow) }),
      });
    },
  }),
  signOutRoute('admin', 'signOutAdministrator', deps),
  ...peopleRoutes(deps),
  ...tenantRoutes(deps),
];
