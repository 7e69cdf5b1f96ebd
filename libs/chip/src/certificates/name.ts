import type { Element } from '../der/read.ts';
import { oidOf, textOf } from '../der/values.ts';
import { certificateCountryOf } from '../passive/countries.ts';
import { table } from '../table.ts';

/** One attribute of a name: its object identifier and its text. */
export interface NameAttribute {
  readonly type: string;
  readonly text: string;
}

/** A distinguished name. */
export interface Name {
  readonly attributes: readonly NameAttribute[];
  /**
   * The country in capitals: two letters also if the certificate has the three letters of a
   * machine-readable zone.
   */
  readonly country?: string;
}

const COUNTRY = '2.5.4.6';
const SHORT = table<string>({
  [COUNTRY]: 'C',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.3': 'CN',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
});

/** Some certificates have the three letters of the machine-readable zone. */
const countryOf = (text: string): string => {
  const stated = text.trim().toUpperCase();
  return certificateCountryOf(stated) ?? stated;
};

/** Reads a distinguished name. */
export const nameOf = (element: Element): Name => {
  const attributes = element.children
    .flatMap((set) => set.children)
    .map((pair) => ({
      type: oidOf(pair.children[0], 'an attribute of a name'),
      text: pair.children[1] ? textOf(pair.children[1]) : '',
    }));
  const country = countryOf(attributes.find(({ type }) => type === COUNTRY)?.text ?? '');
  return { attributes, ...(country ? { country } : {}) };
};

const plain = ({ type, text }: NameAttribute): string => {
  const written = type === COUNTRY ? countryOf(text) : text;
  return `${type}=${written.trim().replace(/\s+/g, ' ').toLowerCase()}`;
};

/**
 * The same text for all names with the same attributes. Order, case, kind of string and the form of
 * the country do not count, since issuers vary them.
 */
export const nameKey = ({ attributes }: Name): string => attributes.map(plain).sort().join('\n');

/** A name in readable form, as `C=DE, O=bund, CN=csca`. */
export const nameText = ({ attributes }: Name): string =>
  attributes.map(({ type, text }) => `${SHORT[type] ?? type}=${text}`).join(', ');
