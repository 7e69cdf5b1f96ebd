import { table } from '@assay/contracts/table';
import { useEffect } from 'preact/hooks';

const EVENTS = ['pointerdown', 'keydown'] as const;
let actedAt = Date.now();
for (const event of EVENTS)
  addEventListener(
    event,
    () => {
      actedAt = Date.now();
    },
    { capture: true, passive: true },
  );

/** What a request follows from within this time was asked for by the person. */
const CAUSED_MS = 10_000;

/**
 * Headers of a request: what a page asks by itself, for it shows what is new, is no use of a
 * session.
 */
export const causeHeaders = (): Record<string, string> =>
  Date.now() - actedAt < CAUSED_MS ? {} : { 'assay-by-itself': 'true' };

/** Idle time where a key was sent instead of signing in, in seconds. */
export const KEY_IDLE_SECONDS = 900;
const LOOKED_EVERY_MS = 5000;

/** Ends what was begun with signing in once the person did nothing for so long. */
export const useIdle = (isSignedIn: boolean, idleSeconds: number, onIdle: () => void): void => {
  useEffect(() => {
    if (!isSignedIn) return;
    const look = (): void => {
      if (Date.now() - actedAt >= idleSeconds * 1000) onIdle();
    };
    const timer = setInterval(look, LOOKED_EVERY_MS);
    return () => clearInterval(timer);
  }, [isSignedIn, idleSeconds]);
};

export const IDLE = 'You were signed out, as nothing was done here for a while.';

const FAILURES = table<string>({
  refused: 'Your organisation did not sign you in, or its answer was not right. Try again.',
  away: 'The sign-in of your organisation does not answer. Try again later.',
  'no-role': 'You are signed in at your organisation, but have no role here. Ask an administrator.',
  expired: 'The sign-in took too long, or was begun elsewhere. Try again.',
});

/** Why a sign-in led back here without a session; said once. */
export const signInFailure = (): string => {
  const why = new URLSearchParams(location.search).get('sign-in');
  if (why === null) return '';
  history.replaceState(null, '', `${location.pathname}${location.hash}`);
  return FAILURES[why] ?? FAILURES.refused!;
};

/** Sends the browser to sign in, and back to where it is now. */
export const beginSignIn = (page: 'console' | 'admin'): void => {
  const place = location.hash.replace(/^#/, '') || '/';
  location.assign(`/sign-in/${page}?returnTo=${encodeURIComponent(place)}`);
};
