import './console.css';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SignIn } from '../design/sign-in.tsx';
import { useSignIn } from '../design/use-sign-in.ts';
import { endSession, forget, idleSeconds, listCases, ownId, resume, sharedBy, signIn } from './api.ts';
import { decidedBy } from './availability.ts';
import { Case } from './case.tsx';
import { drafts } from './draft.ts';
import { NO_CHOICE, Queue, queueAddress } from './queue.tsx';

const CASE = /^#\/cases\/([\w-]+)$/;
const caseInAddress = (): string | undefined => CASE.exec(location.hash)?.[1];

/**
 * The case that is open is part of the address: it survives a reload, Back leads to the queue, and
 * a colleague can be sent it.
 */
const useAddress = (): [string | undefined, (caseId: string | undefined) => void] => {
  const [open, setOpen] = useState(caseInAddress);
  useEffect(() => {
    const change = (): void => setOpen(caseInAddress());
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  const go = (caseId: string | undefined): void => {
    location.hash = caseId === undefined ? queueAddress() : `#/cases/${caseId}`;
  };
  return [open, go];
};

const App = () => {
  const { signedIn, looking, message, signOut, onSignIn } = useSignIn({
    page: 'console',
    isSignedIn: () => ownId() !== '',
    sharedBy,
    resume,
    endSession,
    forget,
    idleSeconds,
    forgetWork: drafts.forgetAll,
  });
  const [open, setOpen] = useAddress();
  const [left, setLeft] = useState<string>();
  const [choice, setChoice] = useState(NO_CHOICE);
  const back = (): void => setOpen(undefined);
  const visits = useRef(0);
  // The queue gives the focus back to the case that was left, by whichever way.
  useEffect(() => {
    visits.current += 1;
    if (open) setLeft(open);
  }, [open]);
  useEffect(() => {
    if (signedIn) drafts.forgetForeign();
    else setChoice(NO_CHOICE);
  }, [signedIn]);
  /** The case that waits longest for this operator; the queue where there is none. */
  const next = async (): Promise<void> => {
    const visit = visits.current;
    const waiting = await listCases('OPEN').catch(() => []);
    // Whoever went elsewhere meanwhile stays there.
    if (visits.current !== visit) return;
    const found = waiting.find((each) => each.caseId !== open && !decidedBy(each, ownId()));
    if (found) setOpen(found.caseId);
    else back();
  };
  if (looking) return null;
  if (!signedIn)
    return (
      <SignIn
        page="console"
        title="Assay console"
        lead="Cases that wait for a person: look at the images, compare, decide."
        label="Operator key"
        help="An administrator makes keys of the role OPERATOR. Yours is forgotten when you sign out or close this tab."
        message={message}
        signIn={signIn}
        onSignIn={onSignIn}
      />
    );
  if (open) return <Case key={open} caseId={open} onBack={back} onNext={next} onSignOut={signOut} />;
  return <Queue from={left} choice={choice} onChoice={setChoice} onOpen={setOpen} onSignOut={signOut} />;
};

render(<App />, document.getElementById('app')!);
