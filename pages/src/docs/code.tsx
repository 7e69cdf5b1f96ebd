import { useEffect, useState } from 'preact/hooks';
import { clipboard } from '../design/controls.tsx';
import { browserStore } from '../design/storage.ts';
import { Highlighted } from './highlight.tsx';

export interface Sample {
  language: string;
  label: string;
  text: string;
}

const STORE = 'assay.language';
const CHOSEN = 'assay-language';
const COPIED_MS = 1500;

/** The language that was chosen last, on this page and on those before. */
const useLanguage = (): [string, (language: string) => void] => {
  const [language, setLanguage] = useState(browserStore.getItem(STORE) ?? 'sh');
  useEffect(() => {
    const hear = (): void => setLanguage(browserStore.getItem(STORE) ?? 'sh');
    addEventListener(CHOSEN, hear);
    return () => removeEventListener(CHOSEN, hear);
  }, []);
  const choose = (next: string): void => {
    browserStore.setItem(STORE, next);
    dispatchEvent(new Event(CHOSEN));
  };
  return [language, choose];
};

const Copy = ({ text }: { text: string }) => {
  const [copied, setCopied] = useState(false);
  if (!clipboard) return null;
  const copy = (): void =>
    void clipboard?.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    });
  return (
    <button type="button" class="copy" onClick={copy}>
      {copied ? 'Copied' : 'Copy'}
    </button>
  );
};

/** A block of code to be copied; the same in several languages is one block with a choice. */
export const Code = ({ samples }: { samples: readonly Sample[] }) => {
  const [language, choose] = useLanguage();
  const shown = samples.find((sample) => sample.language === language) ?? samples[0];
  if (!shown) return null;
  return (
    <div class={`code ${shown.language}`}>
      <div class="code-bar">
        {samples.length > 1 ? (
          <div class="languages">
            {samples.map((sample) => (
              <button
                key={sample.language}
                type="button"
                aria-pressed={sample === shown}
                onClick={() => choose(sample.language)}
              >
                {sample.label}
              </button>
            ))}
          </div>
        ) : (
          <span class="code-label">{shown.label}</span>
        )}
        <Copy text={shown.text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the frame scrolls, so the keyboard must reach it */}
      <pre tabIndex={0}>
        <Highlighted text={shown.text} language={shown.language} />
      </pre>
    </div>
  );
};
