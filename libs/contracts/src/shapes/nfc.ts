import { type Static, Type } from 'typebox';
import { Id, OneOf, SubmittedCountry, Text } from './building-blocks.ts';
import { SubmissionReplySchema } from './evidence.ts';
import { SESSION_DOCUMENT_TYPES } from './live-session.ts';

/** The data groups that a reader is asked to read. */
export const WANTED_DATA_GROUPS = [1, 2, 7, 11, 12, 13, 14, 15] as const;

/** How a reader says that it opened the chip. The server cannot check this. */
const ACCESS_PROTOCOLS = ['NONE', 'BAC', 'PACE', 'PACE_CAM'] as const;

/**
 * A format instead of a pattern: the files of a chip are long, and a pattern takes ten times as
 * long.
 */
const Base64 = (maxLength?: number) =>
  Type.String({
    ...(maxLength ? { maxLength } : {}),
    format: 'base64',
    description: 'base64, standard alphabet',
  });

/** A chip's answer has a few hundred bytes. */
const Answer = Base64(8192);

/** Opens a session in which a document's chip is read (specification, Chip evidence). */
export const NfcSessionRequestSchema = Type.Object({
  idDocumentType: Type.Optional(OneOf(SESSION_DOCUMENT_TYPES)),
  issuingCountry: Type.Optional(SubmittedCountry),
  evidenceId: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'the id of a document by images, as its submission answered it' }),
  ),
});
export type NfcSessionRequest = Static<typeof NfcSessionRequestSchema>;

const AccessKeySchema = Type.Object(
  { documentNumber: Type.String(), dateOfBirth: Type.String(), dateOfExpiry: Type.String() },
  { description: 'what opens the chip, as the access protocols take it: dates are YYMMDD' },
);
export type AccessKey = Static<typeof AccessKeySchema>;

export const NfcSessionReplySchema = Type.Object({
  ...SubmissionReplySchema.properties,
  sessionId: Type.String(),
  expireAt: Type.String(),
  dataGroups: Type.Array(Type.Integer()),
  activeAuthenticationChallenge: Type.String({ description: '8 bytes, base64; used once' }),
  accessKey: Type.Optional(AccessKeySchema),
});

export type NfcSession = Static<typeof NfcSessionReplySchema>;

/** Begins chip authentication with the key in data group 14. */
export const ChipAuthenticationRequestSchema = Type.Object({ dataGroup14: Base64() });

export const ChipAuthenticationReplySchema = Type.Object({
  protocol: Type.String({ description: 'dotted OID' }),
  keyId: Type.Optional(Type.Integer()),
  terminalPublicKey: Type.String({ description: '04||x||y, base64' }),
  command: Type.String({ description: 'the first protected command, base64; the last exchange of the reader' }),
});
export type ChipAuthenticationReply = Static<typeof ChipAuthenticationReplySchema>;

const ReaderSchema = Type.Object({
  application: Type.Optional(Text(128)),
  version: Type.Optional(Text(64)),
  osType: Type.Optional(Text(64)),
  osVersion: Type.Optional(Text(64)),
  deviceModel: Type.Optional(Text(128)),
});

/** Everything that a reader read from a chip. `errors` alone says that the reader gave up. */
export const ChipDataRequestSchema = Type.Object({
  documentSecurityObject: Type.Optional(Base64()),
  dataGroups: Type.Optional(Type.Record(Type.String(), Base64())),
  comFile: Type.Optional(Base64()),
  cardAccess: Type.Optional(Base64()),
  cardSecurity: Type.Optional(Base64()),
  accessProtocol: Type.Optional(OneOf(ACCESS_PROTOCOLS)),
  activeAuthenticationResponse: Type.Optional(Answer),
  chipAuthentication: Type.Optional(Type.Object({ response: Answer, command: Type.Optional(Answer) })),
  reader: Type.Optional(ReaderSchema),
  errors: Type.Optional(
    Type.Array(Type.Object({ code: Text(64), message: Type.Optional(Text(512)) }), { maxItems: 20 }),
  ),
});
export type ChipDataRequest = Static<typeof ChipDataRequestSchema>;

/** The largest body from a reader. */
export const CHIP_DATA_BYTES = 512 * 1024;

/**
 * What evidence-intake seals of a chip session (`sealedSubmission` of evidence.submitted): the
 * challenge, the answers, and which medium is which file. `files` is absent if the reader gave up.
 */
export interface ChipSubmission {
  /** Base64. */
  challenge: string;
  /** Ids of the media by the names of the files: `sod`, `com`, `dg1` ... */
  files?: Readonly<Record<string, string>>;
  /**
   * A crop of data group 2, stored together with the files: all of the file from its byte `at` on,
   * where a JPEG seems to begin. Whoever finds that it is the portrait need not store it again.
   */
  portrait?: { mediaId: string; at: number };
  activeAuthenticationResponse?: string;
  /**
   * `state` is what the server stored for chip authentication. It is secret: whoever has it can
   * make the answer.
   */
  chipAuthentication?: { state: unknown; response: string; command?: string };
  accessProtocol?: (typeof ACCESS_PROTOCOLS)[number];
  reader?: Static<typeof ReaderSchema>;
  errors?: ChipDataRequest['errors'];
  /**
   * The image evidence whose machine-readable zone opened the chip, and what the client declared.
   */
  imageEvidenceId?: string;
  issuingCountry?: string;
}
