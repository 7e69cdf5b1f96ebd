import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { directionOf } from './languages.ts';
import { fill, type Values } from './placeholders.ts';
import { stringsOf } from './translations.ts';

export const LanguageContext = createContext('en');

export type Translate = (key: string, values?: Values) => string;

/** The strings of the chosen language. */
export const useText = (): Translate => {
  const language = useContext(LanguageContext);
  const strings = stringsOf(language);
  return (key, values) => fill(directionOf(language), strings[key] ?? key, values);
};
