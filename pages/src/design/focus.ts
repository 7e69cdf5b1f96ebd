import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const PLACES = '[tabindex], main';

/** What is around an element and can have the focus, the nearest first. */
const placesAround = (element: Element | null | undefined): HTMLElement[] => {
  const place = element?.parentElement?.closest<HTMLElement>(PLACES);
  return place ? [place, ...placesAround(place)] : [];
};

/** Gives the focus to the nearest of these places that is there, unless something else has it. */
const focusNearest = (places: readonly HTMLElement[]): void => {
  const place = places.find(({ isConnected }) => isConnected) ?? document.querySelector('main');
  if (!place || document.activeElement !== document.body) return;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus();
};

/**
 * A control that vanishes with the focus, as a row that was removed, leaves it to the nearest place
 * around it. Browsers drop it, and whoever uses the keyboard would begin at the top of the page.
 * `hadFocus`: the control lost it when it was disabled.
 */
export const useLeavesFocus = (control: RefObject<HTMLElement | null>, hadFocus: () => boolean = () => false): void => {
  useLayoutEffect(
    () => () => {
      const isFocused = document.activeElement === control.current;
      if (!isFocused && !(hadFocus() && document.activeElement === document.body)) return;
      const places = placesAround(control.current);
      // What comes instead may take the focus by itself, a frame later.
      requestAnimationFrame(() => requestAnimationFrame(() => focusNearest(places)));
    },
    [],
  );
};
