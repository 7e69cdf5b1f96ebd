import { useEffect, useState } from 'preact/hooks';
import { beginSignIn } from './activity.ts';
import { loadConfig } from './config.ts';
import { Button, Field } from './controls.tsx';
import { Message } from './display.tsx';
import { Frame } from './frame.tsx';

export interface SignInProps {
  page: 'console' | 'admin';
  title: string;
  /** What the pages behind it are for. */
  lead: string;
  /** Whose key is asked for. */
  label: string;
  /** What becomes of the key. */
  help: string;
  /** Why the person is here again. */
  message: string;
  signIn: (key: string) => Promise<unknown>;
  onSignIn: () => void;
}

const focused = (field: HTMLInputElement | null): void => field?.focus();

/** Asks for a key; stays, with the reason, until one is accepted. */
export const SignIn = ({ page, title, lead, label, help, message: before, signIn, onSignIn }: SignInProps) => {
  const [message, setMessage] = useState(before);
  const [sending, setSending] = useState(false);
  const [organisation, setOrganisation] = useState('');
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    loadConfig().then(
      ({ signIn: words = '' }) => setOrganisation(words),
      () => undefined,
    );
  }, []);
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
    <Frame title={title} width="narrow">
      <h1>Sign in</h1>
      <p>{lead}</p>
      {organisation && (
        <Button tone="primary" wide onClick={() => beginSignIn(page)}>
          {organisation}
        </Button>
      )}
      <form onSubmit={submit}>
        <Field label={label}>
          <input name="key" type="password" autoComplete="current-password" required ref={focused} />
        </Field>
        <Button type="submit" {...(organisation ? {} : { tone: 'primary' as const })} wide disabled={sending}>
          {organisation ? 'Sign in with the key' : 'Sign in'}
        </Button>
        <Message>{message}</Message>
        <p class="help">{help}</p>
      </form>
    </Frame>
  );
};
