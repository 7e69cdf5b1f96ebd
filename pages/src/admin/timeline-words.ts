import type { TimelineItem } from '@assay/contracts/administration';
import { table } from '@assay/contracts/table';
import { plainWords } from '@assay/contracts/words';
import { actInWords, memberInWords } from './audit-words.ts';
import { roleInWords, statusInWords } from './words.ts';

/** A call that the event it led to also shows. */
export const isCall = ({ type }: Pick<TimelineItem, 'type'>): boolean => type === 'operation.recorded';

const CONSENTS = table<string>({ GIV: 'asking the issuer', PORTRAIT: 'comparing faces' });
const lower = (word: unknown): string => plainWords(String(word ?? '')).toLowerCase();
const each = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list : []);

const consentInWords = ({ type, approved }: Record<string, unknown>): string =>
  `${CONSENTS[String(type)] ?? lower(type)} ${approved ? 'agreed' : 'refused'}`;

const evidenceInWords = ({ type, status, errors }: Record<string, unknown>): string => {
  const codes = Array.isArray(errors) && errors.length > 0 ? ` (error ${errors.join(', ')})` : '';
  return `${lower(type)} ${statusInWords(String(status))}${codes}`;
};

const valueInWords = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(valueInWords).join('; ');
  if (typeof value === 'object' && value !== null) return Object.values(value).map(valueInWords).join(' ');
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value ?? '');
};

type Details = TimelineItem['details'];
const anyInWords = (details: Details): string =>
  Object.entries(details)
    .map(([name, value]) => `${memberInWords(name)} ${valueInWords(value)}`)
    .join(', ');

const images = (count: unknown): string => (Number(count) === 1 ? ', 1 image' : `, ${Number(count)} images`);

const SAID = table<(details: Details) => string>({
  'identity.created': ({ by, policy }) =>
    `by ${roleInWords(String(by)).toLowerCase()}, under the policy ${String(policy)}`,
  'consents.changed': ({ consents }) => each(consents).map(consentInWords).join(', '),
  'evidence.submitted': ({ type, media, reissued }) =>
    `${lower(type)}${Number(media) > 0 ? images(media) : ''}${reissued ? ', handed out again' : ''}`,
  'evidence.deleted': ({ type, reason }) => `${lower(type)}${reason ? `, ${lower(reason)}` : ''}`,
  'evidence.evaluated': ({ levelOfAssurance, evidences }) =>
    [String(levelOfAssurance), ...each(evidences).map(evidenceInWords)].join(', '),
  'operation.recorded': ({ method, name }) => `${String(method)}${name ? ` ${lower(name)}` : ''}`,
  'identity.status-changed': ({ status }) => lower(status),
});

/** What an item says beside its name. */
export const saidBy = ({ type, details }: Pick<TimelineItem, 'type' | 'details'>): string =>
  (SAID[type] ?? anyInWords)(details);

const NAMES = table<string>({
  'operation.recorded': 'API call',
  'consents.changed': 'Consents recorded',
});

/** What happened, in two or three words. */
export const nameOf = ({ kind, type }: Pick<TimelineItem, 'kind' | 'type'>): string => {
  if (kind === 'ACT') return actInWords(type);
  if (kind === 'DELIVERY') return `${type} notification`;
  return NAMES[type] ?? plainWords(type.replaceAll(/[.-]/g, '_'));
};
