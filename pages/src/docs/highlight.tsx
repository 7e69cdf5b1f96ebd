import type { JSX } from 'preact';
import { tokensOf } from './tokens.ts';

/** A text of a language in its colours. */
export const Highlighted = ({ text, language }: { text: string; language: string }): JSX.Element => (
  <code>
    {tokensOf(text, language).map(([kind, part], at) =>
      kind ? (
        <span key={at} class={`of-${kind}`}>
          {part}
        </span>
      ) : (
        part
      ),
    )}
  </code>
);
