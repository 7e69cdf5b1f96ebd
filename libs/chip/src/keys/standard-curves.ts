import { type Element, readDer } from '../der/read.ts';
import { childAt, oidOf, smallInteger } from '../der/values.ts';
import { encodeElement, encodeOid, TAG } from '../der/write.ts';
import { unsupported } from '../errors.ts';

const STANDARDIZED_PARAMETERS = '0.4.0.127.0.7.1.2';
const EC_PUBLIC_KEY = '1.2.840.10045.2.1';

/** The numbers of standardized curves in ICAO 9303-11 and BSI TR-03110. */
const CURVES: Readonly<Record<number, string>> = {
  8: '1.2.840.10045.3.1.1',
  9: '1.3.36.3.3.2.8.1.1.3',
  10: '1.3.132.0.33',
  11: '1.3.36.3.3.2.8.1.1.5',
  12: '1.2.840.10045.3.1.7',
  13: '1.3.36.3.3.2.8.1.1.7',
  14: '1.3.36.3.3.2.8.1.1.9',
  15: '1.3.132.0.34',
  16: '1.3.36.3.3.2.8.1.1.11',
  17: '1.3.36.3.3.2.8.1.1.13',
  18: '1.3.132.0.35',
};

const NAMES: ReadonlySet<string> = new Set(Object.values(CURVES));

/** Whether this object identifier names a standardized curve. */
export const isStandardCurve = (oid: string): boolean => NAMES.has(oid);

/**
 * The same SubjectPublicKeyInfo, with the name of its curve if it gives the number of a
 * standardized curve. Throws UNSUPPORTED for a number without a curve.
 */
export const onNamedCurve = (spki: Element): Element => {
  const algorithm = childAt(spki, 0, TAG.sequence, 'the algorithm of a key');
  if (oidOf(algorithm.children[0], 'the algorithm of a key') !== STANDARDIZED_PARAMETERS) return spki;
  const curve = CURVES[smallInteger(algorithm.children[1], 'the number of a curve')];
  if (curve === undefined) throw unsupported('the number of a curve is none of a standardized curve');
  const named = encodeElement(TAG.sequence, encodeOid(EC_PUBLIC_KEY), encodeOid(curve));
  return readDer(encodeElement(TAG.sequence, named, ...spki.children.slice(1).map(({ bytes }) => bytes)));
};
