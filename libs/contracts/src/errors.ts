import { present } from './present.ts';

/**
 * Every error the service can name, in one table (specification, Errors).
 * `status` is the HTTP status of a refusal; codes without one appear only in the `errors` of an
 * evidence.
 */
export const ERRORS = {
  BAD_FIELD: { code: '1006', status: 400, title: 'A field is missing or badly formatted' },
  BAD_IMAGE: { code: '1500', status: 400, title: 'The image is empty, corrupt or of a format that is not supported' },
  DOCUMENT_EXPIRED: { code: '1501', title: 'The document has expired' },
  TYPE_NOT_SUPPORTED: { code: '1502', title: 'Documents of this type are not supported' },
  INVALID_DOCUMENT: { code: '1504', title: 'The document is invalid' },
  IMAGE_TOO_LARGE: { code: '1505', status: 413, title: 'The image is too large' },
  TOO_MANY_PIXELS: { code: '1505', status: 400, title: 'The image has too many pixels' },
  QUALITY_TOO_LOW: { code: '1506', title: 'The image quality is too low' },
  SIDE_MISSING: { code: '1508', status: 400, title: 'A side of the document is missing' },
  UNEXPECTED_ISSUER: { code: '1510', title: 'The document was issued by a country that is not accepted' },
  UNREADABLE: { code: '1530', title: 'The document could not be read' },
  TOO_DARK: { code: '1531', title: 'The image is too dark' },
  GLARE: { code: '1532', title: 'Glare covers the document' },
  BLUR: { code: '1533', title: 'The image is blurred' },
  DAMAGED: { code: '1534', title: 'The document is damaged' },
  PART_MISSING: { code: '1535', title: 'Part of the document is missing from the image' },
  SEVERAL_DOCUMENTS: { code: '1536', title: 'The image shows several documents' },
  JURISDICTION: { code: '1537', title: 'The jurisdiction of the document is not the declared one' },
  TEXT_IN_BACKGROUND: { code: '1538', title: 'There is text in the background' },
  KEYSTONE: { code: '1539', title: 'The document was photographed at too steep an angle' },
  TOO_CLOSE: { code: '1540', title: 'The document is too close' },
  TOO_FAR: { code: '1541', title: 'The document is too far away' },
  BARCODE_UNREADABLE: { code: '1542', title: 'The PDF417 barcode could not be read' },
  OBSCURED: { code: '1543', title: 'The document is partly obscured' },
  RESOLUTION_TOO_LOW: { code: '1560', status: 400, title: 'The resolution is too low' },
  PORTRAIT_QUALITY: { code: '1570', title: 'The portrait cannot be used' },
  PORTRAIT_MISMATCH: { code: '1571', title: 'The portrait does not match the reference' },
  NO_REFERENCE: { code: '1572', title: 'There is no reference yet that this evidence can be compared with' },
  PORTRAIT_UNDECIDED: { code: '1573', title: 'It could not be decided whether the portrait matches the reference' },
  CHIP_MALFORMED: { code: '1500', title: 'A file of the chip is cut off, corrupt or of a form that is not supported' },
  CHIP_PORTRAIT: { code: '1615', title: 'The portrait of the chip cannot be decoded' },
  CHIP_NOT_READ: { code: '1616', title: 'The reader could not read the chip' },
  CONSENT_MISSING: { code: '3001', status: 403, title: 'The consent this needs is not in force' },
  UNAUTHENTICATED: { code: '4010', status: 401, title: 'No valid API key' },
  WRONG_ROLE: { code: '4030', status: 403, title: 'The key does not have the role this call needs' },
  FOREIGN_ORIGIN: { code: '4033', status: 403, title: 'The request does not come from a page of this service' },
  NO_SANDBOX: { code: '4032', status: 403, title: 'Only a sandbox tenant may do this' },
  PROOF_WHILE_PROCESSING: {
    code: '4031',
    status: 403,
    title: 'The proof cannot be retrieved while the identity is being processed',
  },
  NOT_FOUND: { code: '4040', status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { code: '4050', status: 405, title: 'The method is not allowed here' },
  NOT_ACCEPTABLE: { code: '4060', status: 406, title: 'There is no reply in a form that the request accepts' },
  REQUEST_TIMEOUT: { code: '4080', status: 408, title: 'The request did not arrive in time' },
  STATE_CONFLICT: { code: '4090', status: 409, title: 'The state of the identity does not allow this' },
  IDEMPOTENCY_RUNNING: { code: '4091', status: 409, title: 'A request with this Idempotency-Key is still running' },
  CLOSED: { code: '4100', status: 410, title: 'The identity is closed' },
  SESSION_ELSEWHERE: { code: '4101', status: 410, title: 'The session is open on another device' },
  BODY_TOO_LARGE: { code: '4130', status: 413, title: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { code: '4150', status: 415, title: 'The content type is not supported' },
  IDEMPOTENCY_MISMATCH: { code: '4220', status: 422, title: 'The Idempotency-Key was used with another request' },
  TOO_MANY_REQUESTS: { code: '4290', status: 429, title: 'Too many requests' },
  OTP_EXPIRED: { code: '4300', status: 400, title: 'The one-time code has expired' },
  OTP_WRONG: { code: '4301', status: 400, title: 'The one-time code is wrong' },
  OTP_LOCKED: { code: '4302', status: 400, title: 'Too many wrong one-time codes' },
  OTP_NOT_STARTED: { code: '4303', status: 409, title: 'No one-time code was requested' },
  OTP_USED_UP: { code: '4304', status: 409, title: 'No further one-time code can be sent for this contact' },
  INTERNAL: { code: '5000', status: 500, title: 'Internal error' },
  UPSTREAM: { code: '5020', status: 502, title: 'A part of the service gave no usable answer' },
  UNAVAILABLE: { code: '5030', status: 503, title: 'Temporarily unavailable' },
  PROOF_NOT_READY: { code: '5031', status: 503, title: 'The proof is not complete yet; repeat the request' },
  PROCESSING_FAILED: { code: '5001', title: 'The evidence could not be processed' },
  ADJUDICATION_REJECTED: { code: '1580', title: 'An operator rejected the evidence' },
  ADJUDICATION_EXPIRED: { code: '1581', title: 'No operator decided in time' },
  ISSUER_MISMATCH: { code: '1582', title: 'The issuing source has no document with these data' },
  ISSUER_INCONCLUSIVE: { code: '1583', title: 'The issuing source gave no conclusive answer, or was not asked' },
  CHECKS_MISSING: { code: '1584', title: 'The evidence did not pass all checks that the policy requires' },
  FIELDS_DISAGREE: { code: '1585', title: 'Parts of the document do not agree with each other' },
  ATTRIBUTES_DISAGREE: { code: '1586', title: 'The statement does not agree with the verified document' },
  SAME_SIDE_TWICE: { code: '1587', title: 'The same side of the document was sent twice' },
  SIDES_SWAPPED: { code: '1588', title: 'Front and back of the document were exchanged' },
  SESSION_TIMEOUT: { code: '1590', title: 'The live capture session timed out' },
} as const satisfies Record<string, { code: string; status?: number; title: string }>;

export type ErrorName = keyof typeof ERRORS;

/** The specification's error object (specification, Errors). Messages never carry personal data. */
export interface ErrorObject {
  code: string;
  field?: string;
  message?: string;
}

/**
 * The error object of a named error, for the `errors` of an evidence or of a verification result.
 * `message` says more than its title.
 */
export const errorObject = (name: ErrorName, field?: string, message?: string): ErrorObject => ({
  code: ERRORS[name].code,
  ...present({ field }),
  message: message ?? ERRORS[name].title,
});
