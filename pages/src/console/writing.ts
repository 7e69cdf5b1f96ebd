import { isInField } from './help.tsx';

/** Who pressed no key for so long writes no more. */
const PAUSE_MS = 1000;
const LEAVING: readonly string[] = ['Escape', 'Tab'];
const NEVER = Number.NEGATIVE_INFINITY;

let writtenAt = NEVER;
const stopWriting = (): void => {
  writtenAt = NEVER;
};
addEventListener('pointerdown', stopWriting, { capture: true, passive: true });

/**
 * True of a key in a field, and of those that follow it after the field vanished: a case may end
 * while its comment is written, and the next letters of the comment decide nothing.
 */
export const isWriting = (event: KeyboardEvent): boolean => {
  const goesOn = isInField(event) || event.timeStamp - writtenAt < PAUSE_MS;
  if (!goesOn || LEAVING.includes(event.key)) stopWriting();
  else writtenAt = event.timeStamp;
  return writtenAt !== NEVER;
};
