import { render } from 'preact';
import { useState } from 'preact/hooks';
import { storedKey, storeKey } from './api.ts';
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
  if (open) return <Case caseId={open} onBack={() => setOpen(undefined)} />;
  return <Queue onOpen={setOpen} onSignOut={signOut} />;
};

render(<App />, document.getElementById('app')!);
