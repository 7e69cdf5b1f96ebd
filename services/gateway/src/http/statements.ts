import {
  type AddressRequest,
  AddressRequestSchema,
  type AttributesRequest,
  AttributesRequestSchema,
  SubmissionReplySchema,
} from '@assay/contracts';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { ROLES } from '../domain/roles.ts';
import type { Submit } from '../flows/submission.ts';
import type { Route } from './route.ts';

const ERRORS = [
  'BAD_FIELD',
  'CONSENT_MISSING',
  'CLOSED',
  'STATE_CONFLICT',
  'UNSUPPORTED_MEDIA_TYPE',
  'BODY_TOO_LARGE',
] as const;
const reply = { description: 'Taken in; poll its status', schema: SubmissionReplySchema };
const common = { method: 'post' as const, roles: ROLES.CLIENTS, reply, errors: ERRORS };

/** What the person states: attributes and an address, in the shapes of the specification. */
export const statementRoutes = ({ submit, intake }: { submit: Submit; intake: EvidenceIntake }): Route[] => [
  {
    ...common,
    id: 'submitAttributes',
    path: '/identities/{identityId}/attributes',
    summary: 'Submit attributes',
    tag: 'Attributes',
    body: { kind: 'json', schema: AttributesRequestSchema, nullIsAbsent: true },
    handle: (call) =>
      submit(call, { type: 'ATTRIBUTES', operation: 'ATTRIBUTES', consent: 'ATTRIBUTES' }, (claims) =>
        intake.submit(claims, 'ATTRIBUTES', { attributes: call.body as AttributesRequest }),
      ),
  },
  {
    ...common,
    id: 'submitAddress',
    path: '/identities/{identityId}/addresses',
    summary: 'Submit an address',
    tag: 'Attributes',
    body: { kind: 'json', schema: AddressRequestSchema, nullIsAbsent: true },
    handle: (call) =>
      // The specification names no operation for an address; it is one more attribute of the person.
      submit(call, { type: 'ADDRESS', operation: 'ATTRIBUTES', consent: 'ADDRESS' }, (claims) =>
        intake.submit(claims, 'ADDRESS', { address: call.body as AddressRequest }),
      ),
  },
];
