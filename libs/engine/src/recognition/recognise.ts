import type { AamvaReading } from '../barcode/aamva-reading.ts';
import { ISSUERS, type Issuer } from '../barcode/issuers.ts';
import type { MrzReading } from '../mrz/read.ts';
import { fold } from '../viz/letters.ts';
import registry from './registry.json' with { type: 'json' };

type RecognisedType = 'PASSPORT' | 'IDENTITY_CARD' | 'RESIDENT_CARD' | 'DRIVING_LICENSE' | 'VISA';
export type DocumentSide = 'FRONT' | 'BACK';

/** The model of a document in the registry, and how it was recognised. */
export interface Recognition {
  /** The id in the registry; for licences by barcode, the issuer's number and the kind. */
  model: string;
  type: RecognisedType;
  /** ISO 3166-1 alpha-3, or UTO. */
  country?: string;
  state?: string;
  by: 'MRZ' | 'BARCODE' | 'LAYOUT';
  /** The sides that must be sent of such a document. */
  sides: DocumentSide[];
  /** 0..1: how certain the underlying reading is. */
  confidence: number;
  /** Everything the model needs was read; false if only the front was recognised by its print. */
  complete: boolean;
  /** Its fields follow the numbers of the European licence, not labels. */
  numbered?: true;
  /** Values of the machine-readable side that this front does not print. */
  unprinted?: readonly string[];
}

const byZone = (mrz: MrzReading): Recognition | undefined => {
  const { documentCode, issuingState } = mrz.fields;
  const zone = registry.zones.find(
    ({ formats, codes, ...rest }) =>
      formats.includes(mrz.format) &&
      new RegExp(codes).test(documentCode) &&
      (!('states' in rest) || (rest.states ?? []).includes(issuingState)),
  );
  if (!zone) return undefined;
  return {
    model: zone.id,
    type: zone.type as RecognisedType,
    ...(mrz.unlistedStates.length === 0 && { country: issuingState }),
    by: 'MRZ',
    sides: zone.sides as DocumentSide[],
    confidence: mrz.valid ? mrz.confidence : mrz.confidence * 0.5,
    complete: true,
  };
};

const byBarcode = ({ issuer, kind, iin }: AamvaReading): Recognition | undefined => {
  if (!issuer) return undefined;
  return {
    model: `AAMVA-${iin}-${kind === 'IDENTITY_CARD' ? 'ID' : 'DL'}`,
    type: kind,
    country: issuer.country,
    ...(issuer.state && { state: issuer.state }),
    by: 'BARCODE',
    sides: registry.licences[issuer.country].sides as DocumentSide[],
    confidence: 0.99,
    complete: true,
  };
};

/** What a card says it is not: NOT A DRIVER LICENSE. */
const DENIAL = /\bNOT (?:A |FOR |VALID AS )*DRIV[A-Z' ]*LICENSE/g;

/** Upper case, with spaces where only a change of case separates words: NewSouthWales. */
const spaced = (line: string): string => fold(line.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).replace(DENIAL, '');

const stateNamed = (text: string): Issuer | undefined =>
  ISSUERS.filter(({ country, state }) => country === 'USA' && state !== undefined)
    .sort((a, b) => b.name.length - a.name.length)
    .find(({ name }) => new RegExp(`\\b${fold(name)}\\b`).test(text));

/**
 * The issuer's name is in the heading, which has no digits. A place of birth may name another
 * state: it follows its number or a date.
 */
const headingOf = (lines: readonly string[]): string => lines.filter((line) => !/\d/.test(line)).join('\n');

const byLayout = (words: readonly string[]): Recognition | undefined => {
  const lines = words.map(spaced);
  const text = lines.join('\n');
  const heading = headingOf(lines);
  const layout = registry.layouts.find(
    ({ all, ...rest }) =>
      all.every((pattern) => new RegExp(pattern).test(text)) &&
      (!('heading' in rest) || new RegExp(rest.heading ?? '').test(heading)),
  );
  if (!layout) return undefined;
  const state = 'state' in layout ? layout.state : layout.country === 'USA' ? stateNamed(text)?.state : undefined;
  return {
    model: layout.id,
    type: layout.type as RecognisedType,
    ...('country' in layout && { country: layout.country }),
    ...(state && { state }),
    by: 'LAYOUT',
    sides: layout.sides as DocumentSide[],
    confidence: 0.6,
    complete: layout.complete,
    ...('fields' in layout && { numbered: true as const }),
    ...('unprinted' in layout && { unprinted: layout.unprinted ?? [] }),
  };
};

/**
 * The model of a document by its machine-readable zone, else by its barcode, else by its printed
 * words.
 */
export const recognise = (
  mrz: MrzReading | undefined,
  licence: AamvaReading | undefined,
  lines: readonly string[],
): Recognition | undefined => (mrz && byZone(mrz)) ?? (licence && byBarcode(licence)) ?? byLayout(lines);
