import { capital, indicatorWords, plainWords } from '@assay/contracts/words';

const ID = /\b([0-9a-f]{8})-[0-9a-f-]{27}\b/g;
const CODE = /\b[A-Z][A-Z0-9_]+\b/g;

/** A code inside a change: LOA1 stays, LEVEL2 is "level 2", an indicator what it is about. */
const codeInWords = (code: string): string => {
  if (/^LOA\d$/.test(code)) return code;
  if (/^LEVEL\d$/.test(code)) return code.replace('LEVEL', 'level ');
  const words = indicatorWords(code);
  return words.charAt(0).toLowerCase() + words.slice(1);
};

const worded = (text: string): string => text.replaceAll(ID, 'evidence $1').replaceAll(CODE, codeInWords).trim();

/**
 * What an evaluation under another policy would change, in words: "PASSPORT <id> status: VERIFIED
 * -> NOT_VERIFIED" becomes "Passport, status: verified → not verified". The first eight signs of an
 * id tell evidence of one type apart.
 */
export const changeInWords = (change: string): string => {
  const [subject = '', values = ''] = change.split(/:(.*)/s);
  const [before = '', after = ''] = values.split('->').map((value) => worded(value) || 'nothing');
  const what = subject
    .replaceAll(ID, '($1),')
    .replaceAll(CODE, (code) => plainWords(code).toLowerCase())
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  const words = capital(what.toLowerCase().trim());
  return values.includes('->') ? `${words}: ${before} → ${after}` : capital(worded(change));
};
