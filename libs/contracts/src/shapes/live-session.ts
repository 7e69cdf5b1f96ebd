import { type Static, Type } from 'typebox';
import { CAPTURE_DOCUMENT_TYPES, type CaptureDocumentType, SIDES } from '../vocabulary.ts';
import { OneOf, SubmittedCountry, Text } from './building-blocks.ts';
import { SubmissionReplySchema } from './evidence.ts';

/**
 * Types that a session in which a document is captured, or its chip is read, may be asked for.
 * UNKNOWN means ID_DOCUMENT, a document of any type.
 */
export const SESSION_DOCUMENT_TYPES = [...CAPTURE_DOCUMENT_TYPES, 'ID_DOCUMENT', 'UNKNOWN'] as const;
type SessionDocumentType = (typeof SESSION_DOCUMENT_TYPES)[number];

/** The type that a session declares; undefined where it may be any. */
export const declaredTypeOf = (asked: SessionDocumentType | undefined): CaptureDocumentType | undefined =>
  asked === 'ID_DOCUMENT' || asked === 'UNKNOWN' ? undefined : asked;

export const LIVENESS_TYPES = ['LIVENESS_PASSIVE', 'LIVENESS_PASSIVE_VIDEO', 'LIVENESS_HIGH'] as const;

/**
 * Bodies that open a live capture session, of a portrait and of a document (specification, Live
 * capture sessions).
 */
export const LiveSessionRequestSchema = {
  PORTRAIT: Type.Object({
    type: OneOf(LIVENESS_TYPES),
    securityLevel: Type.Optional(Text(32)),
    nbChallenge: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  }),
  DOCUMENT: Type.Object({
    idDocumentType: OneOf(SESSION_DOCUMENT_TYPES),
    issuingCountry: Type.Optional(SubmittedCountry),
  }),
};

/** The replies: that of a submission, the session, and what the capture SDK needs to know. */
export const LiveSessionReplySchema = {
  PORTRAIT: Type.Object({
    ...SubmissionReplySchema.properties,
    sessionId: Type.String(),
    livenessParameters: Type.Object({
      type: OneOf(LIVENESS_TYPES),
      securityLevel: Type.String(),
      nbChallenge: Type.Integer(),
      timeout: Type.Integer({ description: 'seconds the session stays open' }),
    }),
  }),
  DOCUMENT: Type.Object({
    ...SubmissionReplySchema.properties,
    sessionId: Type.String(),
    sidesToCapture: Type.Array(OneOf(SIDES)),
  }),
};
export type PortraitSessionRequest = Static<typeof LiveSessionRequestSchema.PORTRAIT>;
export type DocumentSessionRequest = Static<typeof LiveSessionRequestSchema.DOCUMENT>;
