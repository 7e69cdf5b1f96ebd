import { useEffect, useRef, useState } from 'preact/hooks';
import { IDLE, signInFailure, useIdle } from './activity.ts';
import { loadConfig } from './config.ts';
import { sentence } from './sentence.ts';

/** What a page's own API has to do with signing in. */
interface Access {
  page: 'console' | 'admin';
  isSignedIn: () => boolean;
  /** Who is signed in by a session, which all tabs of the browser share; undefined of a key. */
  sharedBy: () => string | undefined;
  /** Takes up the session that this browser has; rejects where there is none. */
  resume: () => Promise<unknown>;
  endSession: () => void;
  /** Forgets who is signed in in this tab, and ends nothing. */
  forget: () => void;
  /** Forgets what the person left unfinished: they signed out, or another person signed in. */
  forgetWork?: () => void;
  idleSeconds: () => number;
}

const NOBODY = '';
const AGAIN = 'Reload the page in a moment to see whether you are signed in.';
const ELSEWHERE = 'You signed out in another tab.';
const REPLACED = 'Somebody else signed in in another tab. What you do here would be done by them.';

/**
 * The tabs of a browser have one session: what one of them does with it, the others hear. What is
 * shown to one person is not decided by another.
 */
const useOtherTabs = ({ page, sharedBy }: Access, onLeft: (reason: string) => void) => {
  const channel = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const opened = new BroadcastChannel(`assay.${page}`);
    channel.current = opened;
    opened.onmessage = ({ data }: MessageEvent<string>): void => {
      const own = sharedBy();
      if (own !== undefined && own !== data) onLeft(data === NOBODY ? ELSEWHERE : REPLACED);
    };
    return () => opened.close();
  }, []);
  return (whose: string | undefined): void => {
    if (whose !== undefined) channel.current?.postMessage(whose);
  };
};

/** What the service answers whom no session of this browser lets in. */
const hasNone = (error: Error & { status?: number }): boolean => error.status === 401 || error.status === 403;

/** Whether somebody is signed in to a page, by key or by session, and why not. */
export const useSignIn = (access: Access) => {
  const { isSignedIn, sharedBy, resume, endSession, forget, forgetWork, idleSeconds } = access;
  const [signedIn, setSignedIn] = useState(isSignedIn);
  const [message, setMessage] = useState(signInFailure);
  // A tab that was reloaded asks again whose session its browser has by now.
  const [looking, setLooking] = useState(!signedIn || sharedBy() !== undefined);
  const leave = (reason: string): void => {
    forget();
    setMessage(reason);
    setSignedIn(false);
  };
  const say = useOtherTabs(access, (reason) => {
    forgetWork?.();
    leave(reason);
  });
  /** `reason`: why somebody is signed out who did not wish it. */
  const signOut = (reason: string): void => {
    if (reason === '') forgetWork?.();
    if (sharedBy() !== undefined) say(NOBODY);
    endSession();
    leave(reason);
  };
  // The session may be in use in another tab: where it is not, the service ends it by itself.
  useIdle(signedIn, idleSeconds(), () => leave(IDLE));
  // Who signed in at their organisation comes back without a key.
  useEffect(() => {
    if (!looking) return;
    const taken = (): void => {
      say(sharedBy());
      setSignedIn(true);
    };
    loadConfig()
      .then((config) => (config.signIn ? resume().then(taken) : undefined))
      .catch((error: Error) => {
        // A session that cannot be asked for now is not one that has ended: the page says so.
        if (!hasNone(error)) leave(`${sentence(error.message)} ${AGAIN}`);
        else if (signedIn) leave('');
      })
      .finally(() => setLooking(false));
  }, []);
  return { signedIn, looking, message, signOut, onSignIn: () => setSignedIn(true) };
};
