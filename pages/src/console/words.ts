/** Codes in words, for people. */

import type { CaseClosing } from '@assay/contracts/operator';
import { table } from '@assay/contracts/table';
import { indicatorWords, plainWords } from '@assay/contracts/words';
import { serviceNow } from '../design/clock.ts';

const TYPES = table<string>({
  PASSPORT: 'Passport',
  IDENTITY_CARD: 'Identity card',
  RESIDENT_CARD: 'Resident card',
  DRIVING_LICENSE: 'Driving licence',
  ID_DOCUMENT: 'Identity document',
  PORTRAIT: 'Selfie',
});
export const typeInWords = (type: string): string => TYPES[type] ?? plainWords(type);

const STATUS = /_(OK|WARNING|FAILED|UNVERIFIED|VERIFIED)$/;
const STATUSES = table<string>({ OK: 'passed', VERIFIED: 'passed', UNVERIFIED: 'not checked' });
export const indicatorInWords = (indicator: string): { what: string; status: string; words: string } => {
  const status = STATUS.exec(indicator)?.[1] ?? '';
  const bare = indicator.replace(STATUS, '');
  return {
    what: indicatorWords(bare),
    status: status.toLowerCase(),
    words: STATUSES[status] ?? status.toLowerCase(),
  };
};

const IMAGES = table<string>({
  FRONT: 'Front',
  BACK: 'Back',
  CROP: 'Face on the document',
  CHIP_CROP: 'Face in the chip',
  PORTRAIT: 'Selfie',
});
const COMPARED = ['PORTRAIT', 'PHOTOGRAPHED_CROP', 'CHIP_CROP', 'REFERENCE_CROP', 'REFERENCE_PORTRAIT'];
/**
 * A selfie and the faces of the document, in its chip and printed, come first and stand side by
 * side.
 */
export const faceBesideFace = <T extends { label: string }>(media: T[]): T[] => {
  const rank = ({ label: name }: T): number => (COMPARED.includes(name) ? COMPARED.indexOf(name) : COMPARED.length);
  return media.some(({ label: name }) => name === 'PORTRAIT') ? [...media].sort((a, b) => rank(a) - rank(b)) : media;
};

const OF_OTHERS = table<string>({ REFERENCE: 'Reference', PHOTOGRAPHED: 'Same photograph' });
/**
 * What an image shows; a reference is what a portrait is compared with, and it may be the
 * photograph of another document.
 */
export const imageInWords = (label: string): string => {
  const [, prefix = '', bare = label] = /^(REFERENCE|PHOTOGRAPHED)_(.+)/.exec(label) ?? [];
  const words = IMAGES[bare] ?? plainWords(bare);
  return prefix === '' ? words : `${OF_OTHERS[prefix]}: ${words.toLowerCase()}`;
};

const WHY = table<string>({
  FIELDS_DISAGREE: 'What is printed and what the machine-readable part says differ.',
  PORTRAIT_DOUBTED: 'The portrait may have been put onto the document, or a second one on it shows somebody else.',
  MATCH_UNDECIDED: 'The faces are neither alike enough nor different enough to tell by measure, or are one photograph.',
});
/** Why a case came to operators. */
export const reasonInWords = (reason: string): string => WHY[reason] ?? plainWords(reason);

const PRINT_DIFFERS = /^OCR_(\w+)_(WARNING|FAILED)$/;
/**
 * The fields whose printed reading speaks against the machine-readable one, as indicators name
 * them.
 */
export const differing = (raised: string[]): string[] =>
  raised.flatMap((indicator) => PRINT_DIFFERS.exec(indicator)?.[1] ?? []);
const fieldInWords = (name: string): string => indicatorInWords(name).what.toLowerCase();
export const whyInWords = (reason: string, raised: string[]): string => {
  const fields = reason === 'FIELDS_DISAGREE' ? differing(raised).map(fieldInWords) : [];
  return fields.length === 0
    ? reasonInWords(reason)
    : `${reasonInWords(reason).replace(/\.$/, '')}: ${fields.join(', ')}.`;
};
const OUTCOMES = table<string>({
  ACCEPT: 'accepted',
  REJECT: 'rejected',
  EXPIRED: 'no operator decided in time',
  CLOSED: 'the evidence or the identity ended first',
});
const CLOSINGS: Record<CaseClosing, string> = {
  CONSENT_WITHDRAWN: 'closed undecided, consent was withdrawn',
  REFERENCE_CHANGED: 'closed undecided, the selfie is compared with another document now',
  EVALUATED_OTHERWISE: 'closed undecided, checks that came later decided',
  EVIDENCE_DELETED: 'closed undecided, the evidence was deleted',
  IDENTITY_FAILED: 'closed undecided, the identity failed',
  IDENTITY_CLOSED: 'closed undecided, the identity was closed',
};
/** How a case ended, and why where nobody decided it. */
export const outcomeInWords = (outcome: string | undefined, closedBecause?: CaseClosing): string =>
  closedBecause ? CLOSINGS[closedBecause] : (OUTCOMES[outcome ?? ''] ?? '');

/** The short name of a case, for people to speak of. */
export const caseNumber = (caseId: string): string => caseId.slice(0, 8);

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
/** A reason of a decision, in the words in which it was chosen. */
export const chosenInWords = (reason: string): string =>
  (REASONS.find(([code]) => code === reason)?.[1] ?? indicatorInWords(reason).what).toLowerCase();

/** A length of time, roughly. */
export const duration = (seconds: number): string => {
  const size = Math.abs(Math.round(seconds));
  if (size < 90) return `${size} s`;
  if (size < 5400) return `${Math.round(size / 60)} min`;
  return size < 172_800 ? `${Math.round(size / 3600)} h` : `${Math.round(size / 86_400)} days`;
};
/**
 * Seconds since a date-time of the service (UTC without a suffix); below zero where it is to come.
 */
export const secondsSince = (dateTime: string, now = serviceNow()): number =>
  (now - Date.parse(`${dateTime.replace(/Z$/, '')}Z`)) / 1000;

/** How long ago a date-time was, without a word about it. */
export const since = (dateTime: string): string => duration(secondsSince(dateTime));

/** The same as time that has passed or is left. */
export const ago = (dateTime: string, now = serviceNow()): string => {
  const seconds = secondsSince(dateTime, now);
  return seconds >= 0 ? `${duration(seconds)} ago` : `in ${duration(seconds)}`;
};
