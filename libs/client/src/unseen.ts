/**
 * What steers a screen in place of being shown on it: control characters, which move the cursor of
 * a terminal or colour it, and the marks that turn the direction of what stands around them.
 */
const STEERING = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

const codeOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0');

/**
 * Text of a stranger (a name, a path in an archive, an answer of a server) with such characters
 * written out as `\u202e`: it is shown as what it is. Within JSON it still says the same.
 */
export const withoutSteering = (text: string): string =>
  text.replace(STEERING, (character) => `\\u${codeOf(character)}`);
