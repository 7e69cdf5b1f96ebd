import { loadConfig, type PagesConfig } from '../design/config.ts';
import { createApi } from './api.ts';
import { askedLanguage, languageOf } from './languages.ts';
import { beginning, type Session } from './session.ts';

/** What was asked while the page itself was still on its way: on a slow line that saves a round. */
interface Early {
  config: Promise<PagesConfig>;
  /** What the link opens; absent where there is no link, or another device has it. */
  session?: Promise<Session>;
}

declare global {
  interface Window {
    assayEarly?: Early | undefined;
  }
}

const ask = (): Early => {
  const config = loadConfig();
  const language = languageOf([askedLanguage(), ...navigator.languages]);
  if (language !== 'en') void fetch(`/capture/${language}.json`).catch(() => undefined);
  const begun = beginning();
  if (!begun || begun.handedOver || begun.tryOut) return { config };
  return { config, session: config.then(({ prefix }) => createApi(prefix, begun.credential).session()) };
};

const early = ask();
// Whoever takes them says what went wrong; nobody may.
for (const answer of [early.config, early.session]) answer?.catch(() => undefined);
window.assayEarly = early;
