import { UnusableInput } from '../proof/report.ts';

/** Reads an option that takes a whole number; anything else is refused with the bounds. */
export const wholeNumber =
  (option: string, least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new UnusableInput(`${option} takes a whole number from ${least} to ${most}, not '${text}'`);
    return number;
  };
