import { useEffect, useState } from 'preact/hooks';
import { IDLE, signInFailure, useIdle } from './activity.ts';
import { loadConfig } from './config.ts';

/** What a page's own API has to do with signing in. */
interface Access {
  isSignedIn: () => boolean;
  /** Takes up the session that this browser has; rejects where there is none. */
  resume: () => Promise<unknown>;
  endSession: () => void;
  idleSeconds: () => number;
}

/** Whether somebody is signed in to a page, by key or by session, and why not. */
export const useSignIn = ({ isSignedIn, resume, endSession, idleSeconds }: Access) => {
  const [signedIn, setSignedIn] = useState(isSignedIn);
  const [message, setMessage] = useState(signInFailure);
  const [looking, setLooking] = useState(!signedIn);
  const signOut = (reason: string): void => {
    endSession();
    setMessage(reason);
    setSignedIn(false);
  };
  useIdle(signedIn, idleSeconds(), () => signOut(IDLE));
  // Who signed in at their organisation comes back without a key.
  useEffect(() => {
    if (!looking) return;
    loadConfig()
      .then((config) => (config.signIn ? resume().then(() => setSignedIn(true)) : undefined))
      .catch(() => undefined)
      .finally(() => setLooking(false));
  }, []);
  return { signedIn, looking, message, signOut, onSignIn: () => setSignedIn(true) };
};
