/** The text with digits that the service takes: keyboards of Arabic and Japanese write others. */
export const plainDigits = (text: string): string =>
  text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16));

/** A code without the spaces and dashes that people group it with. */
export const plainCode = (text: string): string => plainDigits(text).replace(/[\s-]/g, '');
