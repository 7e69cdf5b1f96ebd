import { DocumentTextSchema, HealthCardSchema, SubmissionReplySchema } from '@assay/contracts';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { ROLES } from '../domain/roles.ts';
import type { Submit } from '../flows/submission.ts';
import { identityIdOf, uploadOf } from './call.ts';
import { JSON_ERRORS, type Route, route, UPLOAD_ERRORS } from './route.ts';

const reply = { description: 'Taken in; poll its status', schema: SubmissionReplySchema };

/** Submitting documents and the portrait: endpoints 3 to 6. */
export const submissionRoutes = ({ submit, intake }: { submit: Submit; intake: EvidenceIntake }): Route[] => [
  route({
    id: 'captureDocument',
    method: 'post',
    path: '/identities/{identityId}/id-documents/capture',
    summary: 'Submit document images',
    tag: 'Documents',
    roles: ROLES.CLIENTS,
    body: {
      kind: 'form',
      parts: {
        DocumentFront: { description: 'Front image', file: true, required: true },
        DocumentBack: { description: 'Back image', file: true },
        DocumentCaptureDetails: { description: 'JSON: jurisdiction, documentType, source', file: true },
      },
    },
    reply,
    errors: [...UPLOAD_ERRORS, 'SIDE_MISSING'],
    handle: (call) =>
      submit(
        call,
        identityIdOf(call),
        { type: 'ID_DOCUMENT', operation: 'ID_DOCUMENT_CAPTURE', consent: 'DOCUMENT_CAPTURE' },
        (claims) => intake.capture(claims, call.request, uploadOf(call)),
      ),
  }),
  route({
    id: 'submitDocument',
    method: 'post',
    path: '/identities/{identityId}/id-documents',
    summary: 'Submit document data as text',
    tag: 'Documents',
    roles: ROLES.CLIENTS,
    body: { kind: 'json', schema: DocumentTextSchema, nullIsAbsent: true },
    reply,
    errors: JSON_ERRORS,
    handle: (call) => {
      const documentText = call.body;
      const type = documentText.idDocumentType;
      const consent = type === 'VISA' ? 'VISA_TEXT' : 'DOCUMENT_TEXT';
      return submit(call, identityIdOf(call), { type, operation: 'ID_DOCUMENT', consent }, (claims) =>
        intake.submit(claims, type, { documentText }),
      );
    },
  }),
  route({
    id: 'submitHealthCard',
    method: 'post',
    path: '/identities/{identityId}/id-document/aus/medicare',
    summary: 'Submit an Australian health-card record',
    tag: 'Documents',
    roles: ROLES.CLIENTS,
    body: { kind: 'json', schema: HealthCardSchema, nullIsAbsent: true },
    reply,
    errors: JSON_ERRORS,
    handle: (call) =>
      submit(call, identityIdOf(call), { type: 'MEDICARE', operation: 'MEDICARE', consent: 'HEALTH_CARD' }, (claims) =>
        intake.submit(claims, 'MEDICARE', { healthCard: call.body }),
      ),
  }),
  route({
    id: 'capturePortrait',
    method: 'post',
    path: '/identities/{identityId}/attributes/portrait/capture',
    summary: 'Submit a portrait',
    tag: 'Portrait',
    roles: ROLES.CLIENTS,
    body: { kind: 'form', parts: { Portrait: { description: 'The selfie', file: true, required: true } } },
    reply,
    errors: [...UPLOAD_ERRORS, 'SIDE_MISSING'],
    handle: (call) =>
      submit(
        call,
        identityIdOf(call),
        { type: 'PORTRAIT', operation: 'PORTRAIT_CAPTURE', consent: 'PORTRAIT' },
        (claims) => intake.capture(claims, call.request, uploadOf(call)),
      ),
  }),
];
