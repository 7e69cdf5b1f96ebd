import {
  CALL_KEYS,
  type CaptureDetails,
  CaptureDetailsSchema,
  FURTHER_FILE_KEY,
  isTooDeep,
  type Metadata,
  type Violation,
  violationsOf,
  withoutEmpty,
} from '@assay/contracts';
import { Type } from 'typebox';

/** A JSON part read, or what is wrong with it. */
export type Parsed<T> = { value: T } | Violation;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The JSON of the bytes; undefined if they are not JSON. An empty part counts as absent. */
const parseJson = (bytes: Buffer): { json: unknown } | undefined => {
  try {
    return { json: JSON.parse(decoder.decode(bytes)) };
  } catch {
    return undefined;
  }
};

export const isBlank = (bytes: Buffer): boolean => bytes.toString('latin1').trim() === '';

const pathIn = (part: string, field: string): string => {
  if (field === '') return part;
  return field.startsWith('[') ? `${part}${field}` : `${part}.${field}`;
};

const known = Object.keys(CaptureDetailsSchema.properties);

/**
 * DocumentCaptureDetails (endpoint 3): fields it does not know are dropped, an unknown enumerated
 * value is refused with its field.
 */
export const parseCaptureDetails = (part: string, bytes: Buffer): Parsed<CaptureDetails> => {
  const parsed = parseJson(bytes);
  if (!parsed || isTooDeep(parsed.json)) return { field: part, message: 'must be JSON' };
  const details = withoutEmpty(parsed.json) ?? {};
  const [violation] = violationsOf(CaptureDetailsSchema, details, parsed.json);
  if (violation) return { ...violation, field: pathIn(part, violation.field) };
  return { value: Object.fromEntries(Object.entries(details as object).filter(([key]) => known.includes(key))) };
};

const MOST_METADATA = 64;
/** Text that the proof repeats: what cannot be seen in it would be signed, too. */
const EntrySchema = Type.Object({
  key: Type.String({ format: 'printable' }),
  value: Type.String({ format: 'lines' }),
});

/** Under these keys readers of a proof expect what the service says, not what a client stated. */
const OWN_KEYS: readonly string[] = [FURTHER_FILE_KEY, ...CALL_KEYS];

/** What is wrong with an entry. */
const wrongIn = (entry: unknown): Violation[] => {
  const wrong = violationsOf(EntrySchema, entry);
  const isOwn = wrong.length === 0 && OWN_KEYS.includes((entry as Metadata).key);
  return isOwn ? [{ field: 'key', message: `must be none of ${OWN_KEYS.join(', ')}` }] : wrong;
};

/** Metadata of additional files: a JSON array of {key, value}; other members are dropped. */
export const parseMetadata = (part: string, bytes: Buffer): Parsed<Metadata[]> => {
  const parsed = parseJson(bytes);
  const entries = parsed && (parsed.json ?? []);
  if (!Array.isArray(entries) || entries.length > MOST_METADATA)
    return { field: part, message: `must be a JSON array of at most ${MOST_METADATA} {key, value}` };
  const [wrong] = entries.flatMap((entry, at) =>
    wrongIn(entry).map(({ field, message }) => ({
      field: pathIn(pathIn(part, `[${at}]`), field),
      message,
    })),
  );
  return wrong ?? { value: (entries as Metadata[]).map(({ key, value }) => ({ key, value })) };
};
