import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { directionOf } from './languages.ts';
import { stringsOf } from './translations.ts';

type Values = Readonly<Record<string, string | number>>;

/** Keeps a value in its own direction: a telephone number would stand reversed in Arabic. */
const isolated = (value: string | number): string => `\u2068${value}\u2069`;

/** A string with its placeholders filled. */
export const fill = (language: string, text: string, values: Values = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return directionOf(language) === 'rtl' ? isolated(value) : String(value);
  });

export const LanguageContext = createContext('en');

export type Translate = (key: string, values?: Values) => string;

/** The strings of the chosen language. */
export const useText = (): Translate => {
  const language = useContext(LanguageContext);
  const strings = stringsOf(language);
  return (key, values) => fill(language, strings[key] ?? key, values);
};
