/** Codes in words, for people. */

const TYPES: Record<string, string> = {
  PASSPORT: 'Passport',
  IDENTITY_CARD: 'Identity card',
  RESIDENT_CARD: 'Resident card',
  DRIVING_LICENSE: 'Driving licence',
  ID_DOCUMENT: 'Identity document',
  PORTRAIT: 'Selfie',
};
export const typeInWords = (type: string): string => TYPES[type] ?? lower(type);

const lower = (code: string): string => {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const STATUS = /_(OK|WARNING|FAILED|UNVERIFIED|VERIFIED)$/;
export const indicatorInWords = (indicator: string): { what: string; status: string } => ({
  what: lower(indicator.replace(STATUS, '')),
  status: STATUS.exec(indicator)?.[1]?.toLowerCase() ?? '',
});

/** Reasons an operator can give for a rejection: the adjudication indicators. */
export const REASONS = [
  ['PORTRAIT_SUBSTITUTION', 'The portrait was replaced, or is another person'],
  ['DOCUMENT_IMAGE_MANIPULATION', 'The image was altered'],
  ['PAPER_COPY', 'It is a paper copy'],
  ['COMPUTER_SCREEN_PHOTO', 'It is a photograph of a screen'],
  ['DOCUMENT_TEMPLATE_DIFFERENT_FROM_REFERENCE', 'It does not look like documents of this kind'],
  ['INCONSISTENT_FONT_SIZE_OR_TYPE', 'Fonts are not consistent'],
  ['OTHER_SUSPICIOUS_ELEMENT', 'Something else is suspicious'],
  ['OTHER_SUSPECTED_FRAUD', 'Other suspected fraud'],
] as const;

/** A date-time of the service (UTC without a suffix) as time that has passed or is left. */
export const ago = (dateTime: string, now = Date.now()): string => {
  const seconds = Math.round((now - Date.parse(`${dateTime.replace(/Z$/, '')}Z`)) / 1000);
  const size = Math.abs(seconds);
  const text = size < 90 ? `${size} s` : size < 5400 ? `${Math.round(size / 60)} min` : `${Math.round(size / 3600)} h`;
  return seconds >= 0 ? `${text} ago` : `in ${text}`;
};

/** Fields that were read, flattened to label and value. */
export const flatten = (value: unknown, path: string[] = []): [string, string][] => {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((inner, i) => flatten(inner, value.length > 1 ? [...path, String(i + 1)] : path));
  if (typeof value !== 'object') return [[path.map(label).join(', '), String(value)]];
  const entry = value as Record<string, unknown>;
  if ('value' in entry) return [[path.map(label).join(', '), `${entry.value}${entry.verified ? ' (confirmed)' : ''}`]];
  return Object.entries(entry).flatMap(([key, inner]) =>
    flatten(inner, key === 'personalAttributes' ? path : [...path, key]),
  );
};
const label = (key: string): string => {
  const words = key.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
