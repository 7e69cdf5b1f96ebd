export type Values = Readonly<Record<string, string | number>>;

/** Keeps a value in its own direction: a telephone number would stand reversed in Arabic. */
const isolated = (value: string | number): string => `\u2068${value}\u2069`;

/** A string of a language with this direction, with its placeholders filled. */
export const fill = (direction: 'ltr' | 'rtl', text: string, values: Values = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return direction === 'rtl' ? isolated(value) : String(value);
  });
