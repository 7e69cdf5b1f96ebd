import { table } from '@assay/contracts/table';

const WORDS = table<string>({
  sh: 'curl|export|while|do|done|for|if|then|fi|echo|cat|node|npx|python3|openssl|printf|sleep|grep',
  js: 'import|from|export|const|let|await|async|return|if|for|of|new|function|true|false|undefined|null',
  python: 'import|from|as|def|return|if|else|for|in|with|not|and|or|True|False|None|while',
  json: 'true|false|null',
});
const COMMENTS = table<string>({ sh: '(?<=^|\\s)#[^\\n]*', python: '#[^\\n]*', js: '//[^\\n]*' });
const NEVER = '(?!)';

/**
 * What a text of a language is made of: comments, strings, words of the language; the rest is
 * undefined.
 */
export const tokensOf = (text: string, language: string): [kind: string | undefined, text: string][] => {
  const words = WORDS[language];
  if (!words) return [[undefined, text]];
  const kinds = new RegExp(
    `(?<comment>${COMMENTS[language] ?? NEVER})|(?<string>"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|\`[^\`]*\`)|(?<word>(?<![\\w.-])(?:${words})(?![\\w-]))`,
    'gm',
  );
  const tokens: [string | undefined, string][] = [];
  let at = 0;
  for (const match of text.matchAll(kinds)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    if (match.index > at) tokens.push([undefined, text.slice(at, match.index)]);
    tokens.push([kind, match[0]]);
    at = match.index + match[0].length;
  }
  if (at < text.length) tokens.push([undefined, text.slice(at)]);
  return tokens;
};
