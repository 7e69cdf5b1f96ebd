import {
  type DocumentSessionRequest,
  LiveSessionReplySchema,
  LiveSessionRequestSchema,
  SubmissionReplySchema,
} from '@assay/contracts';
import { Type } from 'typebox';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { ROLES } from '../domain/roles.ts';
import type { LiveCapture } from '../flows/live-capture.ts';
import type { Submit } from '../flows/submission.ts';
import type { Route } from './route.ts';

const START_ERRORS = [
  'BAD_FIELD',
  'CONSENT_MISSING',
  'CLOSED',
  'STATE_CONFLICT',
  'UNSUPPORTED_MEDIA_TYPE',
  'BODY_TOO_LARGE',
] as const;
const FRAME_ERRORS = [
  'BAD_FIELD',
  'BAD_IMAGE',
  'IMAGE_TOO_LARGE',
  'TOO_MANY_PIXELS',
  'RESOLUTION_TOO_LOW',
  'CLOSED',
  'STATE_CONFLICT',
  'UNSUPPORTED_MEDIA_TYPE',
  'BODY_TOO_LARGE',
] as const;

const FramesReplySchema = Type.Object({
  ...SubmissionReplySchema.properties,
  sessionId: Type.String(),
  frames: Type.Integer({ description: 'frames the session has' }),
});

export interface LiveCaptureParts {
  submit: Submit;
  intake: EvidenceIntake;
  liveCapture: LiveCapture;
}

/** Live capture sessions (decisions, Live capture sessions): an evidence from the start, submitted frame by frame. */
export const liveCaptureRoutes = ({ submit, intake, liveCapture }: LiveCaptureParts): Route[] => {
  const common = { method: 'post' as const, tag: 'Live capture', roles: ROLES.CLIENTS };
  return [
    {
      ...common,
      id: 'startPortraitSession',
      path: '/identities/{identityId}/attributes/portrait/live-capture-session',
      summary: 'Begin a live capture of the portrait',
      body: { kind: 'json', schema: LiveSessionRequestSchema.PORTRAIT, nullIsAbsent: true },
      reply: { description: 'The session', schema: LiveSessionReplySchema.PORTRAIT },
      errors: START_ERRORS,
      handle: (call) =>
        submit(call, { type: 'PORTRAIT', operation: 'LIVENESS_VIDEO', consent: 'PORTRAIT' }, (claims) =>
          intake.startSession(claims, call.body),
        ),
    },
    {
      ...common,
      id: 'startDocumentSession',
      path: '/identities/{identityId}/id-documents/live-capture-session',
      summary: 'Begin a live capture of a document',
      body: { kind: 'json', schema: LiveSessionRequestSchema.DOCUMENT, nullIsAbsent: true },
      reply: { description: 'The session', schema: LiveSessionReplySchema.DOCUMENT },
      errors: START_ERRORS,
      handle: (call) => {
        const type = (call.body as DocumentSessionRequest).idDocumentType;
        return submit(call, { type, operation: 'ID_DOCUMENT_LIVE_CAPTURE', consent: 'DOCUMENT_CAPTURE' }, (claims) =>
          intake.startSession(claims, call.body),
        );
      },
    },
    {
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
      errors: FRAME_ERRORS,
      handle: (call) => liveCapture.addFrames(call),
    },
    {
      ...common,
      id: 'endSession',
      path: '/live-capture-sessions/{sessionId}/end',
      summary: 'End a session: the best frames are submitted',
      reply: { description: 'Submitted; poll its status', schema: SubmissionReplySchema },
      errors: ['BAD_FIELD', 'SIDE_MISSING', 'CLOSED', 'STATE_CONFLICT'],
      handle: (call) => liveCapture.end(call),
    },
  ];
};
