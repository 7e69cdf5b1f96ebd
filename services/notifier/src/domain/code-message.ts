import { table } from '@assay/contracts/table';

/** Wording of a one-time code by language; a language without one gets English. */
const WORDINGS = table<{ subject: string; text: (code: string, minutes: number) => string }>({
  en: {
    subject: 'Your verification code',
    text: (code, minutes) => `Your verification code is ${code}. It is valid for ${minutes} minutes.`,
  },
  de: {
    subject: 'Ihr Bestätigungscode',
    text: (code, minutes) => `Ihr Bestätigungscode lautet ${code}. Er ist ${minutes} Minuten gültig.`,
  },
  fr: {
    subject: 'Votre code de vérification',
    text: (code, minutes) => `Votre code de vérification est ${code}. Il est valable ${minutes} minutes.`,
  },
  es: {
    subject: 'Su código de verificación',
    text: (code, minutes) => `Su código de verificación es ${code}. Es válido durante ${minutes} minutos.`,
  },
  it: {
    subject: 'Il tuo codice di verifica',
    text: (code, minutes) => `Il tuo codice di verifica è ${code}. È valido per ${minutes} minuti.`,
  },
  pt: {
    subject: 'O seu código de verificação',
    text: (code, minutes) => `O seu código de verificação é ${code}. É válido por ${minutes} minutos.`,
  },
});

/**
 * The message that carries a code: subject for mail, text for mail and SMS. `language` is a tag
 * such as `fr` or `de-AT`.
 */
export const codeMessage = (
  code: string,
  language: string | undefined,
  expiresAt: Date,
  now: Date,
): { subject: string; text: string } => {
  const wording = WORDINGS[(language ?? 'en').slice(0, 2).toLowerCase()] ?? WORDINGS.en!;
  const minutes = Math.max(1, Math.round((expiresAt.getTime() - now.getTime()) / 60_000));
  return { subject: wording.subject, text: wording.text(code, minutes) };
};
