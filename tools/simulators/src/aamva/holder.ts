import type { SourceRecord } from '../source/record.ts';

const SUFFIXES: readonly string[] = ['JR', 'SR', 'II', 'III', 'IV', '1ST', '2ND', '3RD', '4TH', '5TH', '6TH'];

/**
 * The holder's names as an administration keeps them: one given name, the others as middle name,
 * the suffix apart.
 */
export const personOf = (record: SourceRecord) => {
  const [givenName, ...middle] = (record.personalAttributes?.givenNames ?? []).map(({ value }) => value ?? '');
  const words = (record.personalAttributes?.surname?.value ?? '').replace(/[.,]/g, ' ').trim().split(/\s+/);
  const suffix = words.length > 1 && SUFFIXES.includes(words.at(-1)!.toUpperCase()) ? words.pop() : undefined;
  return {
    givenName: givenName || undefined,
    middleName: middle.join(' ') || undefined,
    surname: words.join(' ') || undefined,
    suffix,
  };
};

/** A height as administrations keep it (`507`): from centimetres, from 5'7", or as it is. */
export const heightOf = (height: string | undefined): string | undefined => {
  if (height === undefined) return undefined;
  const text = height.trim().toUpperCase().replace(/[’′]/g, "'");
  const feet = /^(\d)\s*(?:'|FT|-)\s*(\d{1,2})?/.exec(text);
  if (feet) return `${feet[1]}${(feet[2] ?? '').padStart(2, '0')}`;
  const inchesOf = (): number => {
    const centimetres = /^([12]\d{2})\s*(?:CM)?$/.exec(text);
    if (centimetres) return Number(centimetres[1]) / 2.54;
    const metres = /^([12][.,]\d{1,2})\s*M?$/.exec(text);
    if (metres) return (Number(metres[1]!.replace(',', '.')) * 100) / 2.54;
    return Number(/^0?([3-9]\d)\s*(?:"|IN)?$/.exec(text)?.[1] ?? 0);
  };
  const inches = Math.round(inchesOf());
  return inches === 0 ? text : `${Math.floor(inches / 12)}${String(inches % 12).padStart(2, '0')}`;
};

const EYES: Readonly<Record<string, string>> = { GREEN: 'GRN', GRAY: 'GRY', GREY: 'GRY', BLACK: 'BLK', PINK: 'PNK' };

/** An eye colour as its three-letter code. */
export const eyeColorOf = (color: string | undefined): string | undefined => {
  const text = color?.trim().toUpperCase();
  return text ? (EYES[text] ?? text.slice(0, 3)) : undefined;
};

/** Only a state's code is compared. */
export const stateCodeOf = (state: string | undefined): string | undefined =>
  state && /^(US-)?[A-Za-z]{2}$/.test(state.trim()) ? state.trim().slice(-2) : undefined;
