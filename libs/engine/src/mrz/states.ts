import { states } from 'mrz';

/**
 * Codes of ICAO 9303 part 3 section 5 that the `mrz` package's list leaves out, and the specimen
 * state UTO.
 */
const OTHERS = [
  'UTO D XXA XXB XXC XXX XOM XPO XCC XBA XIM XMP XES XCE XEC XCO XDC XCT EUE UNO UNA UNK RKS',
  'GBD GBN GBO GBP GBS INP ROM ZIM IAO',
].flatMap((line) => line.split(' '));

const LISTED: ReadonlySet<string> = new Set([...Object.keys(states), ...OTHERS]);

/** Whether a state or nationality as printed (fillers removed) is on the ICAO list. */
export const isListedState = (code: string): boolean => LISTED.has(code);

/**
 * Alpha-3 as the service reports it: Germany's `D` becomes `DEU`, retired codes their successor;
 * `UTO` stays.
 */
export const alpha3 = (code: string): string => ({ D: 'DEU', ROM: 'ROU', ZIM: 'ZWE', RKS: 'RKS' })[code] ?? code;
