/** The alpha-3 code of a country: Germany may be named as ICAO 9303 writes it, D. */
export const alpha3 = (code: string): string => (code === 'D' ? 'DEU' : code);

/** Members of a submission that name a country. */
const COUNTRIES: readonly string[] = ['issuingCountry', 'passportCountry', 'jurisdiction', 'country'];

const memberWithAlpha3 = (name: string, value: unknown): unknown => {
  if (typeof value === 'string') return COUNTRIES.includes(name) ? alpha3(value) : value;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? withAlpha3(value) : value;
};

/** A submission with the alpha-3 code of each country that it names. */
export const withAlpha3 = (content: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(content).map(([name, value]) => [name, memberWithAlpha3(name, value)]));
