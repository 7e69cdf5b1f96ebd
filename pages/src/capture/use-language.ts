import { useEffect, useRef, useState } from 'preact/hooks';
import { tabStore } from '../design/storage.ts';
import { askedLanguage, directionOf, languageOf } from './languages.ts';
import { learn } from './translations.ts';

const CHOSEN = 'assay.language';

const useDocumentLanguage = (language: string | undefined): void => {
  useEffect(() => {
    if (!language) return;
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
  }, [language]);
};

/**
 * The language of the page. What the person chose comes first, also after a reload. Strings that do
 * not arrive leave the page in the language it has; once the line is back they are asked for again.
 */
export const useLanguage = () => {
  const [language, setLanguage] = useState<string>();
  const [failed, setFailed] = useState(false);
  const wish = useRef<string | undefined>(undefined);
  const speak = async (wanted: string): Promise<boolean> => {
    wish.current = wanted;
    const found = await learn(wanted);
    const isLate = wish.current !== wanted;
    if (isLate) return true;
    setLanguage((now) => (found === wanted ? wanted : (now ?? found)));
    if (found === wanted) setFailed(false);
    return found === wanted;
  };
  useEffect(() => {
    const again = (): void => void (wish.current && speak(wish.current));
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  useDocumentLanguage(language);
  return {
    language,
    /** The language that was chosen did not arrive. */
    failed,
    /** Speaks what the person, the address, the link or the browser wants. */
    begin: (locale?: string): Promise<boolean> =>
      speak(languageOf([tabStore.getItem(CHOSEN), askedLanguage(), locale, ...navigator.languages])),
    choose: (wanted: string): void => {
      tabStore.setItem(CHOSEN, wanted);
      void speak(wanted).then((arrived) => setFailed(!arrived));
    },
  };
};
