import { RE2JS } from 're2js';

/**
 * Whether a value matches an expression. Expressions are RE2: a match takes time in proportion to
 * the value, so that neither an expression of an operator nor a value of a client can block the
 * process. @throws if the text is not an RE2 expression
 */
export const isWrittenAs = (expression: string, value: string): boolean =>
  RE2JS.compile(expression).matcher(value).find();
