import { UNSEEN } from '@assay/contracts';

/**
 * What steers a screen in place of being shown on it: control characters, which move the cursor of
 * a terminal or colour it, breaks of lines, and what cannot be seen, such as the marks that turn
 * the direction of what is around them, or a space without width.
 */
const STEERING = new RegExp(`[^\\P{Cc}\\n\\t]|[\\u2028\\u2029]|${UNSEEN}`, 'gu');

const written = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16).padStart(4, '0'))
    .map((code) => `\\u${code}`)
    .join('');

/**
 * Text of a stranger (a name, a path in an archive, an answer of a server) with such characters
 * written out as `\u202e`: it is shown as what it is. Within JSON it still says the same.
 */
export const withoutSteering = (text: string): string => text.replace(STEERING, written);

/** The same of text that is to be one line: a name with a break in it makes no line of its own. */
export const oneLine = (text: string): string => withoutSteering(text.replace(/[\n\t]/g, written));
