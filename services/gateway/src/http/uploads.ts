import { SubmissionReplySchema } from '@assay/contracts';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { ROLES } from '../domain/roles.ts';
import type { Submit } from '../flows/submission.ts';
import { identityIdOf, uploadOf } from './call.ts';
import { type Route, route, UPLOAD_ERRORS } from './route.ts';

const common = { method: 'post' as const, roles: ROLES.CLIENTS, errors: UPLOAD_ERRORS };

/**
 * Uploads beside documents and the portrait: a reference for the portrait, and files that are only
 * kept.
 */
export const uploadRoutes = ({ submit, intake }: { submit: Submit; intake: EvidenceIntake }): Route[] => [
  route({
    ...common,
    id: 'submitPortraitReference',
    path: '/identities/{identityId}/portrait-reference',
    summary: 'Submit a portrait to compare the selfie with, where there is no document',
    tag: 'Portrait',
    body: { kind: 'form', parts: { Portrait: { description: 'The reference', file: true, required: true } } },
    reply: { description: 'Taken in; poll its status', schema: SubmissionReplySchema },
    handle: (call) =>
      submit(
        call,
        identityIdOf(call),
        { type: 'PORTRAIT_REFERENCE', operation: 'PORTRAIT_REFERENCE', consent: 'PORTRAIT' },
        (claims) => intake.capture(claims, call.request, uploadOf(call)),
      ),
  }),
  route({
    ...common,
    id: 'submitAdditionalFiles',
    path: '/identities/{identityId}/additional-files',
    summary: 'Submit files that are kept for the proof',
    tag: 'Additional files',
    body: {
      kind: 'form',
      parts: {
        File: { description: 'A file', file: true, repeated: true, required: true },
        Metadata: { description: 'JSON array of {key, value}' },
      },
    },
    reply: { description: 'Kept; nothing is checked about it', schema: SubmissionReplySchema },
    handle: (call) =>
      submit(
        call,
        identityIdOf(call),
        { type: 'ADDITIONAL_FILE', operation: 'ADDITIONAL_FILE', consent: 'NONE' },
        (claims) => intake.capture(claims, call.request, uploadOf(call)),
      ),
  }),
];
