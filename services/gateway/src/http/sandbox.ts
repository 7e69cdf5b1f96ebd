import {
  ERRORS,
  present,
  SANDBOX_CODES,
  SANDBOX_KINDS,
  SANDBOX_OUTCOMES,
  type SandboxCode,
  type SandboxOutcome,
  SandboxPlaySchema,
} from '@assay/contracts';
import { ApiError, ok } from '@assay/http';
import { type Static, Type } from 'typebox';
import { ROLES } from '../domain/roles.ts';
import { arm } from '../domain/sandbox.ts';
import type { Access } from '../flows/access.ts';
import { tenantOf } from '../flows/caller.ts';
import type { Effects } from '../flows/effect.ts';
import { identityIdOf } from './call.ts';
import { type Route, route } from './route.ts';
import { SPECIMENS_AT } from './sandbox-page.ts';

const text = Type.Optional(Type.String());
const LineSchema = Type.Object({
  outcome: Type.String(),
  kind: Type.Enum([...SANDBOX_KINDS, 'oneTimeCode'], { description: 'what has to be submitted' }),
  description: Type.String(),
  status: Type.String({ description: 'what the evidence comes to under the policy default' }),
  score: text,
  errorCode: text,
  indicators: Type.Array(Type.String(), { description: 'those that differ from a genuine evidence' }),
  needs: Type.Optional(Type.String({ description: 'outcome of a document that comes first, or a consent' })),
  data: Type.Optional(
    Type.Object(
      { field: Type.String(), value: Type.String() },
      { description: 'a submission with this value plays it without being armed' },
    ),
  ),
  specimen: Type.Optional(Type.String({ description: 'an image that comes to it without being armed' })),
});
const CatalogueSchema = Type.Object({ items: Type.Array(LineSchema) });

const lineOf = ({ name, error, specimen, ...line }: SandboxOutcome | SandboxCode): Static<typeof LineSchema> => ({
  outcome: name,
  kind: line.kind,
  description: line.description,
  status: line.status,
  ...present({ score: line.score, errorCode: error && ERRORS[error].code }),
  indicators: [...line.indicators],
  ...present({ needs: line.needs }),
  ...present({ data: line.data }),
  ...(specimen ? { specimen: `${SPECIMENS_AT}/${specimen}` } : {}),
});

/** The sandbox (specification, Sandbox): its catalogue, and arming an outcome. */
export const sandboxRoutes = ({ access, effects }: { access: Access; effects: Effects }): Route[] => [
  route({
    id: 'listSandboxOutcomes',
    method: 'get',
    path: '/sandbox/outcomes',
    summary: 'The outcomes a sandbox tenant can have on purpose',
    tag: 'Sandbox',
    roles: ROLES.CLIENTS,
    reply: { description: 'The catalogue', schema: CatalogueSchema },
    errors: [],
    handle: () => ok({ items: [...SANDBOX_OUTCOMES, ...SANDBOX_CODES].map(lineOf) }),
  }),
  route({
    id: 'armSandboxOutcome',
    method: 'post',
    path: '/identities/{identityId}/sandbox/outcome',
    summary: 'Arm the outcome of the next submission of its kind; sandbox tenants only',
    tag: 'Sandbox',
    roles: ROLES.RELYING_SERVICE,
    body: { kind: 'json', schema: SandboxPlaySchema, nullIsAbsent: true },
    reply: { description: 'What is armed', schema: SandboxPlaySchema },
    errors: ['BAD_FIELD', 'NO_SANDBOX', 'CLOSED', 'STATE_CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: async (call) => {
      const play = call.body;
      const { effective } = tenantOf(call);
      if (!effective.sandbox) throw new ApiError('NO_SANDBOX');
      return effects(call, await access.open(call, identityIdOf(call)), {
        method: 'POST',
        kind: { type: 'ADD', contextIds: [] },
        decide: (identity, _operationId, now) => arm(identity, play, { effective, now }),
        body: () => play,
      });
    },
  }),
];
