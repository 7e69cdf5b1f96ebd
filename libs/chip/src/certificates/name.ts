import type { Element } from '../der/read.ts';
import { oidOf, textOf } from '../der/values.ts';
import { table } from '../table.ts';

/** One attribute of a name: its object identifier and its text. */
export interface NameAttribute {
  readonly type: string;
  readonly text: string;
}

/** A distinguished name. */
export interface Name {
  readonly attributes: readonly NameAttribute[];
  /** The country in capitals, where the name has one. */
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

/** Reads a distinguished name. */
export const nameOf = (element: Element): Name => {
  const attributes = element.children
    .flatMap((set) => set.children)
    .map((pair) => ({
      type: oidOf(pair.children[0], 'an attribute of a name'),
      text: pair.children[1] ? textOf(pair.children[1]) : '',
    }));
  const country = attributes
    .find(({ type }) => type === COUNTRY)
    ?.text.trim()
    .toUpperCase();
  return { attributes, ...(country ? { country } : {}) };
};

const plain = ({ type, text }: NameAttribute): string => `${type}=${text.trim().replace(/\s+/g, ' ').toLowerCase()}`;

/**
 * The same text for every name with the same attributes: their order, their case and their kind of
 * string do not count, since issuers vary them.
 */
export const nameKey = ({ attributes }: Name): string => attributes.map(plain).sort().join('\n');

/** A name for people, as `C=DE, O=bund, CN=csca`. */
export const nameText = ({ attributes }: Name): string =>
  attributes.map(({ type, text }) => `${SHORT[type] ?? type}=${text}`).join(', ');
