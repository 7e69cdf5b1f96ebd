import { render } from 'preact';
import { useState } from 'preact/hooks';
import { listCases, storedKey, storeKey } from './api.ts';
import { Case } from './case.tsx';
import { Queue } from './queue.tsx';

const SignIn = ({ message, onSignIn }: { message: string; onSignIn: () => void }) => {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    storeKey(String(new FormData(event.currentTarget as HTMLFormElement).get('key') ?? '').trim());
    onSignIn();
  };
  return (
    <main class="sign-in">
      <h1>Assay console</h1>
      <p>Cases that wait for a person: look at the images, compare, decide.</p>
      <form onSubmit={submit}>
        <label>
          Operator key
          <input name="key" type="password" autoComplete="current-password" required ref={(field) => field?.focus()} />
        </label>
        <button type="submit" class="accept">
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
  const [signedIn, setSignedIn] = useState(storedKey() !== '');
  const [message, setMessage] = useState('');
  const [open, setOpen] = useState<string>();
  const signOut = (reason: string): void => {
    storeKey('');
    setMessage(reason);
    setSignedIn(false);
  };
  if (!signedIn) return <SignIn message={message} onSignIn={() => setSignedIn(true)} />;
  const back = (): void => setOpen(undefined);
  /** The case that waits longest; the queue where there is none. */
  const next = (): void => void listCases('OPEN').then(({ items }) => setOpen(items[0]?.caseId), back);
  if (open) return <Case key={open} caseId={open} onBack={back} onNext={next} />;
  return <Queue onOpen={setOpen} onSignOut={signOut} />;
};

render(<App />, document.getElementById('app')!);
