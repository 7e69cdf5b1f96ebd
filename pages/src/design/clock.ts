/** How far the clock of the service is ahead of this browser's, in milliseconds. */
let aheadMs = 0;

/** A Date has whole seconds: the clock that it is of may be so much further. */
const ROUNDED_OFF_MS = 999;

/**
 * Goes by the clock of the service from now on, as the Date of one of its answers states it:
 * browsers' clocks are hours off.
 */
export const heedDate = (date: string | null): void => {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) aheadMs = at + ROUNDED_OFF_MS - Date.now();
};

/** The time by the clock of the service, in milliseconds; by the browser's before it answered. */
export const serviceNow = (): number => Date.now() + aheadMs;
