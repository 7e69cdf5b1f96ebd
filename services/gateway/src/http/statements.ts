import { AddressRequestSchema, AttributesRequestSchema, SubmissionReplySchema } from '@assay/contracts';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { ROLES } from '../domain/roles.ts';
import type { Submit } from '../flows/submission.ts';
import { identityIdOf } from './call.ts';
import { JSON_ERRORS, type Route, route } from './route.ts';

const reply = { description: 'Taken in; poll its status', schema: SubmissionReplySchema };
const common = { method: 'post' as const, roles: ROLES.CLIENTS, reply, errors: JSON_ERRORS };

/** What the person states: attributes and an address, in the shapes of the specification. */
export const statementRoutes = ({ submit, intake }: { submit: Submit; intake: EvidenceIntake }): Route[] => [
  route({
    ...common,
    id: 'submitAttributes',
    path: '/identities/{identityId}/attributes',
    summary: 'Submit attributes',
    tag: 'Attributes',
    body: { kind: 'json', schema: AttributesRequestSchema, nullIsAbsent: true },
    handle: (call) =>
      submit(
        call,
        identityIdOf(call),
        { type: 'ATTRIBUTES', operation: 'ATTRIBUTES', consent: 'ATTRIBUTES' },
        (claims) => intake.submit(claims, 'ATTRIBUTES', { attributes: call.body }),
      ),
  }),
  route({
    ...common,
    id: 'submitAddress',
    path: '/identities/{identityId}/addresses',
    summary: 'Submit an address',
    tag: 'Attributes',
    body: { kind: 'json', schema: AddressRequestSchema, nullIsAbsent: true },
    handle: (call) =>
      // The specification names no operation for an address; it is one more attribute of the
      // person.
      submit(call, identityIdOf(call), { type: 'ADDRESS', operation: 'ATTRIBUTES', consent: 'ADDRESS' }, (claims) =>
        intake.submit(claims, 'ADDRESS', { address: call.body }),
      ),
  }),
];
