import { EVIDENCE_STATUSES, LanguageTag, OTP_STATUSES, SubmissionReplySchema } from '@assay/contracts';
import { ok } from '@assay/http';
import { Type } from 'typebox';
import type { Channel } from '../domain/contact.ts';
import { codeView } from '../domain/contacts.ts';
import { ROLES } from '../domain/roles.ts';
import type { Access } from '../flows/access.ts';
import type { ContactFlow } from '../flows/contacts.ts';
import { identityIdOf } from './call.ts';
import { type Route, route } from './route.ts';

const more = {
  language: Type.Optional(LanguageTag),
  system: Type.Optional(Type.String({ minLength: 1, maxLength: 64, format: 'printable' })),
};
// What RFC 5322 has a meaning for beyond the address itself is refused: `a:b@c.org;` is another
// spelling of b@c.org to a mail server, and none to whoever counts codes by address.
const ATOM = '[^\\s@<>"\\\\,;:()\\[\\].]+';
const DOTTED = `${ATOM}(\\.${ATOM})*`;
const Email = Type.Object({
  value: Type.String({
    pattern: `^${DOTTED}@${ATOM}\\.${DOTTED}$`,
    maxLength: 254,
    format: 'printable',
    description: 'one plain address: no list, group, comment or quoted part',
  }),
  ...more,
});
// Six digits, because `112   ` is dialled as 112, and services that cost money have such numbers.
const Mobile = Type.Object({
  value: Type.String({
    pattern: '^\\+?\\(?[0-9]([ ().-]*[0-9]){5}[0-9 ().-]*$',
    maxLength: 27,
    description: 'a telephone number of 6 to 27 characters, six of them digits, such as +49 170 1234567',
  }),
  ...more,
});
const OtpSchema = Type.Object({
  otp: Type.String({ pattern: '^[0-9]{4,10}$', description: 'the code, 4 to 10 digits' }),
});
const ContactReplySchema = Type.Object({
  status: Type.Enum([...EVIDENCE_STATUSES]),
  type: Type.Enum(['EMAIL', 'MOBILE_OTP']),
  id: Type.String(),
  otp: Type.Object({
    status: Type.Enum([...OTP_STATUSES]),
    creationTime: Type.String(),
    timeout: Type.Integer({ description: 'seconds the code is good for' }),
  }),
});

/** The zero that many write behind the code of a country, and nobody dials: +44 (0)7700 900123. */
const ZERO_AT_HOME = /^((?:\+|00)[0-9 .-]+)\(0\)/;

/** The number as it is dialled. */
const dialled = (value: string): string => value.replace(ZERO_AT_HOME, '$1').replaceAll(/[ ().-]/g, '');

interface Deps {
  access: Access;
  contacts: ContactFlow;
}

const AT = '/identities/{identityId}/contacts';

interface ChannelPlan {
  channel: Channel;
  /** As operation ids and paths name it. */
  title: 'Email' | 'Mobile';
  path: `${typeof AT}/${string}`;
  schema: typeof Email | typeof Mobile;
  /** The value as it is used. */
  usable: (value: string) => string;
}

const common = { tag: 'Contacts', roles: ROLES.CLIENTS };

const startRoute = ({ contacts }: Deps, { channel, title, path, schema, usable }: ChannelPlan): Route =>
  route({
    ...common,
    id: `start${title}Code`,
    method: 'post',
    path,
    summary: 'Give a contact; a one-time code is sent to it',
    body: { kind: 'json', schema, nullIsAbsent: true },
    reply: { description: 'The contact and the state of its code', schema: ContactReplySchema },
    errors: ['BAD_FIELD', 'CONSENT_MISSING', 'OTP_USED_UP', 'CLOSED', 'STATE_CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: (call) => {
      const { value, language, system } = call.body;
      return contacts.start(call, identityIdOf(call), channel, {
        value: usable(value),
        ...(language ? { language } : {}),
        ...(system ? { system } : {}),
      });
    },
  });

const stateRoute = ({ access, contacts }: Deps, { channel, title, path }: ChannelPlan): Route =>
  route({
    ...common,
    id: `get${title}`,
    method: 'get',
    path,
    summary: 'State of the contact and of its code',
    reply: { description: 'The contact, without its value', schema: ContactReplySchema },
    errors: ['CLOSED'],
    handle: async (call) => {
      const identity = await access.read(call, identityIdOf(call));
      return ok(codeView(identity, contacts.current(identity, channel)));
    },
  });

const verifyRoute = ({ contacts }: Deps, { channel, title, path }: ChannelPlan): Route =>
  route({
    ...common,
    id: `verify${title}Code`,
    method: 'post',
    path: `${path}/otp`,
    summary: 'Give the one-time code back',
    body: { kind: 'json', schema: OtpSchema, nullIsAbsent: true },
    reply: { description: 'Verified; an evidence from now on', schema: SubmissionReplySchema },
    errors: [
      'BAD_FIELD',
      'CONSENT_MISSING',
      'OTP_WRONG',
      'OTP_EXPIRED',
      'OTP_LOCKED',
      'OTP_NOT_STARTED',
      'CLOSED',
      'STATE_CONFLICT',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    handle: (call) => contacts.verify(call, identityIdOf(call), channel, call.body.otp),
  });

const PLANS: readonly ChannelPlan[] = [
  { channel: 'EMAIL', title: 'Email', path: `${AT}/email`, schema: Email, usable: (value) => value },
  { channel: 'MOBILE', title: 'Mobile', path: `${AT}/mobile`, schema: Mobile, usable: dialled },
];

/** Contacts and their one-time codes (specification, Further endpoints). */
export const contactRoutes = (deps: Deps): Route[] =>
  PLANS.flatMap((plan) => [startRoute(deps, plan), stateRoute(deps, plan), verifyRoute(deps, plan)]);
