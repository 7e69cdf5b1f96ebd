import { useState } from 'preact/hooks';
import { Button, Field } from '../design/controls.tsx';
import { Message, Note } from '../design/display.tsx';
import { createApi } from './api.ts';
import { Screen } from './screen.tsx';
import { type Progress, type Session, STEPS } from './session.ts';

/** A key opens no app that reads chips. */
const OFFERED = STEPS.filter((step) => step !== 'CHIP');

/**
 * For developers: without a link the page works with a key, on a new identity or a given one. In
 * English only.
 */
export const TryOut = ({ prefix, onStarted }: { prefix: string; onStarted: (progress: Progress) => void }) => {
  const [message, setMessage] = useState('');
  const [sending, setSending] = useState(false);
  const start = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const key = String(form.get('key')).trim();
    const given = String(form.get('id')).trim();
    const steps = OFFERED.filter((step) => form.has(step));
    setMessage('');
    setSending(true);
    (given ? Promise.resolve({ id: given }) : createApi(prefix, { key }).create())
      .then(
        ({ id }) => {
          const tryOut: Session = { identityId: id, steps };
          onStarted({ credential: { key }, tryOut, agreed: false, done: [], sent: {} });
        },
        (error: Error) => setMessage(error.message),
      )
      .finally(() => setSending(false));
  };
  return (
    <Screen title="Try the capture page">
      <Note tone="warn">
        For developers. People come here by a link that your service asks for; they never see a key.
      </Note>
      <form onSubmit={start}>
        <Field label="User agent key">
          <input name="key" type="password" autoComplete="off" required />
        </Field>
        <Field label="Identity id" help="Leave it empty for a new identity.">
          <input name="id" autoComplete="off" />
        </Field>
        <fieldset>
          <legend>Steps</legend>
          {OFFERED.map((step) => (
            <label key={step} class="check">
              <input type="checkbox" name={step} defaultChecked={step === 'DOCUMENT' || step === 'PORTRAIT'} />
              {step}
            </label>
          ))}
        </fieldset>
        <Message>{message}</Message>
        <Button type="submit" tone="primary" wide disabled={sending}>
          Start
        </Button>
      </form>
    </Screen>
  );
};
