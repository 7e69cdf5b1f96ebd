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
  wishes
    .map((wish) => wish?.toLowerCase().split(/[-_]/)[0] ?? '')
    .find((wish) => LANGUAGES.some(([language]) => language === wish)) ?? 'en';

/** The language that the address asks for. */
export const askedLanguage = (): string | null => new URLSearchParams(location.search).get('locale');
