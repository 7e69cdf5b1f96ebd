import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
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
  if (!response?.ok) return 'en';
  STRINGS.set(language, (await response.json()) as Strings);
  return language;
};

/** A string with its placeholders filled. */
const fill = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

export const LanguageContext = createContext('en');

export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The strings of the chosen language. */
export const useText = (): Translate => {
  const strings: Strings = STRINGS.get(useContext(LanguageContext)) ?? en;
  return (key, values) => fill(strings[key] ?? key, values);
};
