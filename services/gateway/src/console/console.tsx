import { render } from 'preact';
import { useState } from 'preact/hooks';
import { forgetKey, listCases, ownId, signIn } from './api.ts';
import { Case } from './case.tsx';
import { Queue } from './queue.tsx';
import { decidedBy } from './standing.ts';

const focused = (field: HTMLInputElement | null): void => field?.focus();

const SignIn = ({ message: before, onSignIn }: { message: string; onSignIn: () => void }) => {
  const [message, setMessage] = useState(before);
  const [sending, setSending] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget as HTMLFormElement).get('key') ?? '').trim();
    setMessage('');
    setSending(true);
    signIn(key)
      .then(onSignIn, (error: Error) => setMessage(error.message))
      .finally(() => setSending(false));
  };
  return (
    <main class="sign-in">
      <h1>Assay console</h1>
      <p>Cases that wait for a person: look at the images, compare, decide.</p>
      <form onSubmit={submit}>
        <label>
          Operator key
          <input name="key" type="password" autoComplete="current-password" required ref={focused} />
        </label>
        <button type="submit" class="accept" disabled={sending}>
          Sign in
        </button>
        <p role="alert" class="message">
          {message}
        </p>
        <p class="help">
          An administrator makes keys of the role OPERATOR. Yours is forgotten when you sign out or close this tab.
        </p>
      </form>
    </main>
  );
};

const App = () => {
  const [signedIn, setSignedIn] = useState(ownId() !== '');
  const [message, setMessage] = useState('');
  const [open, setOpen] = useState<string>();
  const [left, setLeft] = useState<string>();
  const signOut = (reason: string): void => {
    forgetKey();
    setMessage(reason);
    setSignedIn(false);
  };
  const back = (): void => {
    setLeft(open);
    setOpen(undefined);
  };
  /** The case that waits longest for this operator; the queue where there is none. */
  const next = async (): Promise<void> => {
    const waiting = await listCases('OPEN').catch(() => []);
    const found = waiting.find((each) => each.caseId !== open && !decidedBy(each, ownId()));
    if (found) setOpen(found.caseId);
    else back();
  };
  if (!signedIn) return <SignIn message={message} onSignIn={() => setSignedIn(true)} />;
  if (open) return <Case key={open} caseId={open} onBack={back} onNext={next} />;
  return <Queue from={left} onOpen={setOpen} onSignOut={signOut} />;
};

render(<App />, document.getElementById('app')!);
