import { isCountryCode } from './countries.ts';
import { hasBegun, isCalendarDate, todayAt } from './dates.ts';
import { table } from './table.ts';

type Clock = () => Date;
const machine: Clock = () => new Date();
let clock = machine;

/**
 * Has the formats of dates, which know what day it is, go by this clock instead of the machine's.
 * Returns what ends it.
 */
export const dateFormatsBy = (now: Clock): (() => void) => {
  clock = now;
  return () => {
    if (clock === now) clock = machine;
  };
};

const hasBegunNow = (date: string): boolean => hasBegun(date, todayAt(clock()));

/**
 * Control characters and unpaired surrogates would be stored and signed as something else. What
 * turns the direction of the text around it has an operator compare another name than the one that
 * is stored; what cannot be seen makes two names look like one. Joiners and selectors of variants
 * are left: scripts need them.
 */
const UNPRINTABLE = new RegExp(
  [
    '\\p{Cc}|\\p{Cs}|\\p{Zl}|\\p{Zp}',
    '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]',
    '[\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb]',
    '[\\u{e0000}-\\u{e007f}]',
  ].join('|'),
  'gu',
);

export const isPrintable = (text: string): boolean => text.search(UNPRINTABLE) < 0;

/** The text without what cannot be shown for what it is: for text that is taken as it comes. */
export const printableOf = (text: string): string => text.replace(UNPRINTABLE, '');

/**
 * Base64 of one byte at least, in the standard alphabet and padded. Its characters are not looked
 * at one by one, which takes four times as long: the decoder passes over what it does not know, so
 * then fewer bytes come out. It knows the other alphabet, too, and takes a character beyond ASCII
 * for another.
 */
const isBase64 = (text: string): boolean => {
  if (text.length === 0 || text.length % 4 !== 0 || Buffer.byteLength(text) !== text.length) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const isStandard = !text.includes('-') && !text.includes('_');
  return isStandard && Buffer.from(text, 'base64').length === (text.length / 4) * 3 - padding;
};

/**
 * The formats the schemas use beyond ajv-formats; the one place validators take them from.
 */
export const FORMATS = table<(text: string) => boolean>({
  'calendar-date': isCalendarDate,
  'birth-date': (text) => isCalendarDate(text) && text >= '1900-01-01' && hasBegunNow(text),
  'past-date': (text) => isCalendarDate(text) && hasBegunNow(text),
  base64: isBase64,
  country: isCountryCode,
  printable: isPrintable,
  lines: (text) => isPrintable(text.replace(/[\r\n\t]/g, '')),
  shown: (text) => isPrintable(text) && text.trim() !== '',
});
