import type { VisualReading } from './read.ts';

const LEGIBLE_LINES = 8;
const SURE = 0.85;

/** Enough print was read surely that a value which is nowhere in it is missing, not just unread. */
export const isLegible = ({ lines }: Pick<VisualReading, 'lines'>): boolean =>
  lines.filter(({ text, confidence }) => confidence > SURE && /[A-Za-z0-9]{3}/.test(text)).length >= LEGIBLE_LINES;
