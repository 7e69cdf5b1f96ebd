import { printableOf } from '@assay/contracts';

/**
 * Text read from a document, without characters that disguise it: anybody can print a barcode or
 * write a chip, and an operator compares what is shown.
 */
export const legible = <T>(read: T): T => {
  if (typeof read === 'string') return printableOf(read) as T;
  if (Array.isArray(read)) return read.map(legible) as T;
  if (typeof read !== 'object' || read === null) return read;
  return Object.fromEntries(Object.entries(read).map(([name, inner]) => [name, legible(inner)])) as T;
};
