import {
  declaredTypeOf,
  LiveSessionReplySchema,
  LiveSessionRequestSchema,
  SubmissionReplySchema,
} from '@assay/contracts';
import { Type } from 'typebox';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { ROLES } from '../domain/roles.ts';
import type { LiveCapture } from '../flows/live-capture.ts';
import type { Submit } from '../flows/submission.ts';
import { identityIdOf, param, uploadOf } from './call.ts';
import { JSON_ERRORS, type Route, route, UPLOAD_ERRORS } from './route.ts';

const FramesReplySchema = Type.Object({
  ...SubmissionReplySchema.properties,
  sessionId: Type.String(),
  frames: Type.Integer({ description: 'frames the session has' }),
});

export interface LiveCaptureDeps {
  submit: Submit;
  intake: EvidenceIntake;
  liveCapture: LiveCapture;
}

const common = { method: 'post' as const, tag: 'Live capture', roles: ROLES.CLIENTS };

const startRoutes = ({ submit, intake }: LiveCaptureDeps): Route[] => [
  route({
    ...common,
    id: 'startPortraitSession',
    path: '/identities/{identityId}/attributes/portrait/live-capture-session',
    summary: 'Begin a live capture of the portrait',
    body: { kind: 'json', schema: LiveSessionRequestSchema.PORTRAIT, nullIsAbsent: true },
    reply: { description: 'The session', schema: LiveSessionReplySchema.PORTRAIT },
    errors: JSON_ERRORS,
    handle: (call) =>
      submit(
        call,
        identityIdOf(call),
        { type: 'PORTRAIT', operation: 'LIVENESS_VIDEO', consent: 'PORTRAIT' },
        (claims) => intake.startSession(claims, call.body),
      ),
  }),
  route({
    ...common,
    id: 'startDocumentSession',
    path: '/identities/{identityId}/id-documents/live-capture-session',
    summary: 'Begin a live capture of a document',
    body: { kind: 'json', schema: LiveSessionRequestSchema.DOCUMENT, nullIsAbsent: true },
    reply: { description: 'The session', schema: LiveSessionReplySchema.DOCUMENT },
    errors: JSON_ERRORS,
    handle: (call) => {
      const type = declaredTypeOf(call.body.idDocumentType) ?? 'ID_DOCUMENT';
      return submit(
        call,
        identityIdOf(call),
        { type, operation: 'ID_DOCUMENT_LIVE_CAPTURE', consent: 'DOCUMENT_CAPTURE' },
        (claims) => intake.startSession(claims, call.body),
      );
    },
  }),
];

const sessionRoutes = ({ intake, liveCapture }: LiveCaptureDeps): Route[] => [
  route({
    ...common,
    id: 'addFrames',
    path: '/live-capture-sessions/{sessionId}/frames',
    summary: 'Add frames to a session',
    body: {
      kind: 'form',
      parts: {
        Frame: { description: 'A frame', file: true, repeated: true },
        Video: { description: 'The video, kept where the tenant keeps videos', file: true },
        side: { description: 'FRONT or BACK, for documents' },
      },
    },
    reply: { description: 'The session goes on', schema: FramesReplySchema },
    errors: UPLOAD_ERRORS,
    handle: (call) => {
      const sessionId = param(call, 'sessionId');
      return liveCapture.addFrames(call, sessionId, (claims) =>
        intake.frames(claims, sessionId, call.request, uploadOf(call)),
      );
    },
  }),
  route({
    ...common,
    id: 'endSession',
    path: '/live-capture-sessions/{sessionId}/end',
    summary: 'End a session: the best frames are submitted',
    reply: { description: 'Submitted; poll its status', schema: SubmissionReplySchema },
    errors: ['BAD_FIELD', 'SIDE_MISSING', 'CLOSED', 'STATE_CONFLICT'],
    handle: (call) => {
      const sessionId = param(call, 'sessionId');
      return liveCapture.end(call, sessionId, (claims) => intake.endSession(claims, sessionId));
    },
  }),
];

/**
 * Live capture sessions (specification, Live capture sessions): an evidence from the start,
 * submitted frame by frame.
 */
export const liveCaptureRoutes = (deps: LiveCaptureDeps): Route[] => [...startRoutes(deps), ...sessionRoutes(deps)];
