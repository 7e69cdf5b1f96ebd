import { isPrintable, isTooDeep, present } from '@assay/contracts';
import { table } from '@assay/contracts/table';

/** Contact details a client may give when it creates an identity. */
const CONTACT_FIELDS = ['email', 'mobile', 'landline', 'language', 'username'] as const;
type ContactField = (typeof CONTACT_FIELDS)[number];

export interface CreationDetails {
  businessId?: string;
  correlationId?: string;
  previousProofId?: string;
  contact: Partial<Record<ContactField, string>>;
}

const CONTEXT_KEYS = table<'businessId' | 'correlationId' | 'previousProofId'>({
  BUSINESS_ID: 'businessId',
  CORRELATION_ID: 'correlationId',
  PREVIOUS_PROOF_ID: 'previousProofId',
});

const LONGEST = 256;

/** A number beyond these may be another one than the client wrote: JSON.parse has rounded it. */
const isExact = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/**
 * A value as it is stored: text of limited length without hidden characters; anything else is
 * ignored.
 */
const acceptedText = (value: unknown): string | undefined => {
  const text = typeof value === 'number' && isExact(value) ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST) return undefined;
  return isPrintable(text) ? text : undefined;
};

const parsed = (text: string): unknown => {
  const trimmed = text.trim();
  return /^[[{"]/.test(trimmed) ? safeJson(trimmed) : undefined;
};

const safeJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fromContext = (context: unknown): Partial<CreationDetails> => {
  const entries = typeof context === 'string' ? parsed(context) : context;
  const found: Partial<CreationDetails> = {};
  for (const entry of Array.isArray(entries) ? entries.slice(0, 100) : []) {
    if (!isObject(entry)) continue;
    const name = typeof entry.key === 'string' && Object.hasOwn(CONTEXT_KEYS, entry.key) && CONTEXT_KEYS[entry.key];
    const value = acceptedText(entry.value);
    if (name && value !== undefined) found[name] = value;
  }
  return found;
};

/**
 * Parses a creation request (specification, Creation request): an array of `{key, value}`, or an
 * object with `context` and plain fields, in JSON or in parts of a form. What cannot be understood
 * is ignored, never refused.
 */
export const creationDetails = (body: unknown): CreationDetails => {
  if (Array.isArray(body)) return { ...fromContext(body), contact: {} };
  if (!isObject(body)) return { contact: {} };
  const contact: CreationDetails['contact'] = {};
  for (const field of CONTACT_FIELDS) {
    const value = acceptedText(body[field]);
    if (value !== undefined) contact[field] = value;
  }
  const businessId = acceptedText(body.businessId);
  return { ...present({ businessId }), ...fromContext(body.context), contact };
};

/** A creation body that is JSON text; undefined when it is anything else. */
export const creationJson = (text: string): unknown => parsed(text);

/** The boundary of a multipart body whose content type names none: its first line. */
export const boundaryOf = (body: Buffer): string | undefined => {
  const head = body
    .subarray(0, 200)
    .toString('latin1')
    .replace(/^(\r?\n)+/, '');
  const boundary = /^--([^\r\n]{1,70}?)(--)?\r?\n/.exec(head)?.[1];
  return boundary?.trim() || undefined;
};
