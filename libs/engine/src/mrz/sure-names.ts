import type { MrzReading } from './read.ts';

/**
 * Below this many pixels a character, names (which no check digit covers) count as not confirmed.
 */
export const NAMES_UNSURE_BELOW = 7;

/** Whether the names and states of a zone, which no check digit covers, were surely read. */
export const areNamesSure = ({
  pitch,
  namesUnread = 0,
  stateReplaced,
}: Pick<MrzReading, 'pitch' | 'namesUnread' | 'stateReplaced'>): boolean =>
  pitch >= NAMES_UNSURE_BELOW && namesUnread === 0 && !stateReplaced;
