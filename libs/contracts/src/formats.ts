import { isCountryCode } from './countries.ts';
import { hasBegun, isCalendarDate, parseDateTime, todayAt } from './dates.ts';
import { table } from './table.ts';

type Clock = () => Date;
const machine: Clock = () => new Date();
let clock = machine;

/**
 * Makes the date formats use this clock instead of the machine's. Returns a function that undoes
 * it.
 */
export const dateFormatsBy = (now: Clock): (() => void) => {
  clock = now;
  return () => {
    if (clock === now) clock = machine;
  };
};

const hasBegunNow = (date: string): boolean => hasBegun(date, todayAt(clock()));

/** Joiners and variation selectors: scripts and pictographs need them, and nobody sees them. */
const JOINER = '[\\u034f\\u180b-\\u180d\\u180f\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]';
/** Where they have a meaning. The marks between are bounded, so that a long run costs no more. */
const JOINED =
  '(?!\\p{Default_Ignorable_Code_Point})[\\p{Lo}\\u0640\\p{Extended_Pictographic}\\p{Emoji_Modifier}][\\p{M}\\u200c\\u200d]{0,8}';

/**
 * What cannot be seen, as the source of an expression with the flag `u`: characters that are not
 * displayed, the marks that turn the direction of text among them, joiners that join nothing, and
 * characters that are displayed as a blank.
 */
export const UNSEEN = [
  `(?!${JOINER})\\p{Default_Ignorable_Code_Point}`,
  `(?<!${JOINED})${JOINER}`,
  '[\\u2800\\ufff9-\\ufffb\\u{1d159}]',
].join('|');

/**
 * Characters that a text must not have. Control characters and unpaired surrogates would be stored
 * and signed as something else. Characters that turn the direction of text would show an operator
 * another name than the stored one; invisible characters make two names look alike.
 */
const UNPRINTABLE = new RegExp(`\\p{Cc}|\\p{Cs}|\\p{Zl}|\\p{Zp}|${UNSEEN}`, 'gu');

export const isPrintable = (text: string): boolean => text.search(UNPRINTABLE) < 0;

/** The text without its unprintable characters: for text that is never refused. */
export const printableOf = (text: string): string => text.replace(UNPRINTABLE, '');

/** Half of a character: UTF-8 has none, so that another one would be stored and signed. */
const UNPAIRED_SURROGATE = /\p{Cs}/u;

/**
 * Base64 of one byte at least, in the standard alphabet and padded. Its characters are not examined
 * one by one, which takes four times as long: the decoder skips unknown characters, so fewer bytes
 * come out. The decoder also accepts the URL-safe alphabet, and takes a character beyond ASCII for
 * another one, so both are excluded.
 */
const isBase64 = (text: string): boolean => {
  if (text.length === 0 || text.length % 4 !== 0 || Buffer.byteLength(text) !== text.length) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const isStandard = !text.includes('-') && !text.includes('_');
  return isStandard && Buffer.from(text, 'base64').length === (text.length / 4) * 3 - padding;
};

/** The formats that the schemas use beyond ajv-formats. Every validator takes them from here. */
export const FORMATS = table<(text: string) => boolean>({
  'calendar-date': isCalendarDate,
  'birth-date': (text) => isCalendarDate(text) && text >= '1900-01-01' && hasBegunNow(text),
  'past-date': (text) => isCalendarDate(text) && hasBegunNow(text),
  'utc-date-time': (text) => isCalendarDate(text.slice(0, 10)) && !Number.isNaN(parseDateTime(text).getTime()),
  base64: isBase64,
  country: isCountryCode,
  printable: isPrintable,
  lines: (text) => isPrintable(text.replace(/[\r\n\t]/g, '')),
  'whole-characters': (text) => !UNPAIRED_SURROGATE.test(text),
  shown: (text) => isPrintable(text) && text.trim() !== '',
});
