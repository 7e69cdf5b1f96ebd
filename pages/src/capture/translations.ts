import en from './strings/en.json' with { type: 'json' };

type Strings = Readonly<Record<string, string>>;
/** English comes with the page; the others are files beside it, asked for when they are needed. */
const STRINGS = new Map<string, Strings>([['en', en]]);

/**
 * Makes the page able to speak a language; says which one it is then, English where the strings did
 * not arrive.
 */
export const learn = async (language: string): Promise<string> => {
  if (STRINGS.has(language)) return language;
  const response = await fetch(`/capture/${language}.json`).catch(() => undefined);
  // It may break off, or be the page of a network that wants a sign-in first.
  const strings = response?.ok ? await response.json().catch(() => undefined) : undefined;
  if (!strings) return 'en';
  STRINGS.set(language, strings as Strings);
  return language;
};

/** The strings of a language that was learned, English otherwise. */
export const stringsOf = (language: string): Strings => STRINGS.get(language) ?? en;
