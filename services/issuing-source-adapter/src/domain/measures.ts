import { heightOf } from '@assay/contracts';

const INCHES_A_FOOT = 12;

/**
 * A height as motor vehicle administrations write it, feet then two digits of inches (`507` is
 * 5'7"); undefined when it cannot be read.
 */
export const usHeight = (height: string): string | undefined => {
  const whole = Math.round(heightOf(height)?.inches ?? 0);
  if (whole < 24 || whole > 107) return undefined;
  return `${Math.floor(whole / INCHES_A_FOOT)}${String(whole % INCHES_A_FOOT).padStart(2, '0')}`;
};

/** A height in centimetres or metres: several of them are one in inches (170 and 171 cm, 5'7"). */
export const isMetricHeight = (height: string): boolean => heightOf(height)?.isMetric === true;
