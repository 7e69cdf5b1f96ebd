import registry from './registry.json' with { type: 'json' };

const LICENCE = 'DRIVING_LICENSE';
const layouts: readonly { type: string; country?: string }[] = registry.layouts.filter(({ type }) => type === LICENCE);

/** Countries whose driving licences are recognised by barcode or layout. */
export const LICENCE_COUNTRIES: readonly string[] = [
  ...new Set([...Object.keys(registry.licences), ...layouts.flatMap(({ country }) => country ?? [])]),
].sort();

/** Types of document that the machine-readable zone of any state may have. */
export const ZONE_TYPES: readonly string[] = [
  ...new Set(registry.zones.filter((zone) => !('states' in zone)).map(({ type }) => type)),
];

/** Countries whose licences have their barcode on the back. */
export const TWO_SIDED_LICENCES: readonly string[] = Object.entries(registry.licences)
  .filter(([, { sides }]) => sides.includes('BACK'))
  .map(([country]) => country);
