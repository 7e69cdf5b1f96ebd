import { states } from 'mrz';

/**
 * Codes of ICAO 9303 part 3 section 5 that are not in the list of the `mrz` package, and the
 * specimen state UTO.
 */
const OTHERS = [
  'UTO D XXA XXB XXC XXX XOM XPO XCC XBA XIM XMP XES XCE XEC XCO XDC XCT EUE UNO UNA UNK RKS',
  'GBD GBN GBO GBP GBS INP ROM ZIM IAO',
].flatMap((line) => line.split(' '));

const LISTED: ReadonlySet<string> = new Set([...Object.keys(states), ...OTHERS]);

/** Whether a printed state or nationality (without fillers) is on the ICAO list. */
export const isListedState = (code: string): boolean => LISTED.has(code);

/**
 * The alpha-3 code that the service reports: Germany's `D` becomes `DEU`, a retired code its
 * successor; `UTO` stays.
 */
export const alpha3 = (code: string): string => ({ D: 'DEU', ROM: 'ROU', ZIM: 'ZWE', RKS: 'RKS' })[code] ?? code;
