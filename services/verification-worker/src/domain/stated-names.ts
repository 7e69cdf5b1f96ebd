/** The names that a barcode may mark as truncated. */
export type CutName = 'surname' | 'givenName' | 'middleName';

/** The names that one evidence states. */
export interface StatedNames {
  surname?: string;
  givenNames?: string[];
  fullname?: string;
  /**
   * The machine-readable zone was too short: each of the names may be truncated. Of a barcode, the
   * names that it marks as truncated.
   */
  cut?: boolean | readonly CutName[];
  /** The machine-readable part has one name alone: the holder has no given names. */
  single?: true;
  /** What a barcode has apart from the names, and other documents behind one of them: JR, III. */
  suffix?: string;
}

/** Whether a name may be truncated. */
export const isCut = ({ cut = false }: StatedNames, name: CutName): boolean =>
  cut === true || (cut !== false && cut.includes(name));

const NAMES: readonly CutName[] = ['surname', 'givenName', 'middleName'];
export const isCutAnywhere = (names: StatedNames): boolean => NAMES.some((name) => isCut(names, name));

/**
 * Whether two spellings agree, given which of them are truncated: a truncated one may continue in
 * the other.
 */
export const cutOrEqual = (one: StatedNames, other: StatedNames, name: CutName) => {
  const [isOneCut, isOtherCut] = [isCut(one, name), isCut(other, name)];
  return (a: string, b: string): boolean => a === b || (isOneCut && b.startsWith(a)) || (isOtherCut && a.startsWith(b));
};

/** The same for the parts of a full name, of which it is not known which are truncated. */
export const cutAnywhere = (one: StatedNames, other: StatedNames) => {
  const all = NAMES.map((name) => cutOrEqual(one, other, name));
  return (a: string, b: string): boolean => all.some((same) => same(a, b));
};
