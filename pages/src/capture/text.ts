import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import ar from './strings/ar.json' with { type: 'json' };
import de from './strings/de.json' with { type: 'json' };
import en from './strings/en.json' with { type: 'json' };
import es from './strings/es.json' with { type: 'json' };
import fr from './strings/fr.json' with { type: 'json' };
import ja from './strings/ja.json' with { type: 'json' };
import pt from './strings/pt.json' with { type: 'json' };

type Strings = Readonly<Record<string, string>>;
const STRINGS: Readonly<Record<string, Strings>> = { en, de, fr, es, pt, ar, ja };

/** The languages by their own names. */
export const LANGUAGES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['fr', 'Français'],
  ['es', 'Español'],
  ['pt', 'Português'],
  ['ar', 'العربية'],
  ['ja', '日本語'],
] as const;

const RIGHT_TO_LEFT = ['ar'];
export const directionOf = (language: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr');

/**
 * The first wish for which there are strings, by its language alone; English where there is none.
 */
export const languageOf = (wishes: readonly (string | null | undefined)[]): string =>
  wishes.map((wish) => wish?.toLowerCase().split(/[-_]/)[0] ?? '').find((wish) => wish in STRINGS) ?? 'en';

/** A string with its placeholders filled. */
const fill = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

export const LanguageContext = createContext('en');

export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The strings of the chosen language. */
export const useText = (): Translate => {
  const strings: Strings = STRINGS[useContext(LanguageContext)] ?? en;
  return (key, values) => fill(strings[key] ?? key, values);
};
