import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { stringsOf } from './translations.ts';

/** A string with its placeholders filled. */
const fill = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

export const LanguageContext = createContext('en');

export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The strings of the chosen language. */
export const useText = (): Translate => {
  const strings = stringsOf(useContext(LanguageContext));
  return (key, values) => fill(strings[key] ?? key, values);
};
