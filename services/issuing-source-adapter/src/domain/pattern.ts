import { RE2JS } from 're2js';

/**
 * Whether a value is written as an expression has it. Expressions are RE2's: a search takes a time
 * in proportion to the value, so that no expression of an operator and no value of a client keeps
 * the process from all else.
 * @throws where the text is no expression of RE2
 */
export const isWrittenAs = (expression: string, value: string): boolean =>
  RE2JS.compile(expression).matcher(value).find();
