const COUNT_AT = 128;
const TAGS_AT = 132;
const TAG = 12;
/** Profiles have some twenty. */
const MOST_TAGS = 1000;

/** Tables of floating point, which browsers do not know, and the decoder prefers. */
const FLOATING = ['D2B0', 'D2B1', 'D2B2', 'D2B3'];
/** Tables of the other renderings: browsers take them where there is none for the usual one. */
const OTHERS = ['A2B1', 'A2B2', 'A2B3'];

/**
 * Whether browsers and the decoder take colours from different parts of an ICC profile. Whoever
 * writes these parts has them show two different pictures.
 */
export const isReadDifferently = (profile: Buffer): boolean => {
  const count = profile.length < TAGS_AT ? 0 : Math.min(profile.readUInt32BE(COUNT_AT), MOST_TAGS);
  const names = Array.from({ length: count }, (_, nth) =>
    profile.toString('latin1', TAGS_AT + TAG * nth, TAGS_AT + TAG * nth + 4),
  );
  const has = (tags: readonly string[]): boolean => names.some((name) => tags.includes(name));
  return has(FLOATING) || (has(OTHERS) && !has(['A2B0']));
};
