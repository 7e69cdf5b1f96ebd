import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { LanguageContext } from './text.ts';

const ART = {
  document: 'M8 14h48v36H8zM14 22h16v18H14zM36 24h14M36 31h14M36 38h9',
  face: 'M32 8c12 0 18 9 18 21 0 14-9 25-18 25S14 43 14 29C14 17 20 8 32 8zM25 28v3M39 28v3M26 42c4 3 8 3 12 0',
  mail: 'M8 16h48v34H8zM8 18l24 18 24-18',
  phone: 'M20 6h24v52H20zM29 51h6',
  done: 'M32 6a26 26 0 1 0 0 52 26 26 0 0 0 0-52zM20 33l9 9 16-19',
  chip: 'M12 8h28v34H12zM20 18h12v12H20zM20 24h12M26 18v12M48 22c4 6 4 14 0 20M54 18c6 9 6 19 0 28',
  person: 'M32 8a11 11 0 1 0 0 22 11 11 0 0 0 0-22zM10 56c2-13 11-19 22-19s20 6 22 19',
  retry: 'M50 22A21 21 0 1 0 53 36M52 10v13H39',
  ended: 'M32 6a26 26 0 1 0 0 52 26 26 0 0 0 0-52zM32 18v18M32 44v2',
} as const;
type Art = keyof typeof ART;

interface ScreenProps {
  title: string;
  /** What the screen is, where its title changes while it is shown. */
  name?: string;
  art?: Art;
  children?: ComponentChildren;
}

/** One thing to do: a heading that takes the focus when it appears, and what belongs to it. */
export const Screen = ({ title, name = title, art, children }: ScreenProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const language = useContext(LanguageContext);
  const spoken = useRef(language);
  useEffect(() => {
    // The same screen in another language leaves the focus where the language is chosen.
    if (spoken.current === language) heading.current?.focus();
    spoken.current = language;
  }, [name, language]);
  return (
    <section class="screen">
      {art && (
        <svg class={`art ${art}`} viewBox="0 0 64 64" aria-hidden="true">
          <path d={ART[art]} />
        </svg>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </section>
  );
};
