import { useState } from 'preact/hooks';
import { Button, Field } from '../design/controls.tsx';
import { Message } from '../design/display.tsx';
import type { Refused } from './api.ts';
import type { StepProps } from './document-step.tsx';
import { reasonsOf } from './reasons.ts';
import { Screen } from './screen.tsx';
import { useText } from './text.ts';

interface ContactStepProps extends StepProps {
  step: 'EMAIL' | 'MOBILE';
  language: string;
}

const entered = (event: SubmitEvent): string => {
  event.preventDefault();
  return String(new FormData(event.currentTarget as HTMLFormElement).get('value') ?? '').trim();
};

const Contact = ({ step }: Pick<ContactStepProps, 'step'>) =>
  step === 'EMAIL' ? (
    <input name="value" type="email" autoComplete="email" dir="ltr" required />
  ) : (
    <input name="value" type="tel" autoComplete="tel" dir="ltr" required />
  );

/** An address or a number, confirmed by a code that is sent to it. */
export const ContactStep = ({ api, identityId, step, language, onDone, onEnded }: ContactStepProps) => {
  const t = useText();
  const [value, setValue] = useState('');
  const [message, setMessage] = useState('');
  const [sending, setSending] = useState(false);
  const [confirmed, setConfirmed] = useState(false);
  const channel = step === 'EMAIL' ? 'email' : 'mobile';
  const failed = (error: Refused): void => {
    if (error.status === 401 || error.status === 404 || error.status === 410) onEnded(error);
    else setMessage(t(`reason.${error.status === 0 ? 'busy' : reasonsOf(error.errors)[0]}`));
  };
  const act = (call: Promise<unknown>, then: () => void): void => {
    setMessage('');
    setSending(true);
    call.then(then, failed).finally(() => setSending(false));
  };
  if (confirmed)
    return (
      <Screen title={t(`result.${step}`)} art="done">
        <Button tone="primary" wide onClick={onDone}>
          {t('next')}
        </Button>
      </Screen>
    );
  const start = (event: SubmitEvent): void => {
    const given = entered(event);
    act(api.startCode(identityId, channel, given, language), () => setValue(given));
  };
  const confirm = (event: SubmitEvent): void =>
    act(api.giveCode(identityId, channel, entered(event)), () => setConfirmed(true));
  return (
    <Screen title={t(value ? 'contact.code' : `contact.${step}`)} art={step === 'EMAIL' ? 'mail' : 'phone'}>
      {value && <p>{t('contact.sent', { value })}</p>}
      <form key={value} onSubmit={value ? confirm : start}>
        <Field label={t(value ? 'contact.code' : `contact.${step}`)}>
          {value ? (
            <input name="value" inputMode="numeric" autoComplete="one-time-code" required />
          ) : (
            <Contact step={step} />
          )}
        </Field>
        <Message>{message}</Message>
        <Button type="submit" tone="primary" wide disabled={sending}>
          {t(value ? 'contact.confirm' : 'contact.send')}
        </Button>
      </form>
      {value && (
        <Button tone="plain" wide onClick={() => setValue('')}>
          {t('contact.other')}
        </Button>
      )}
    </Screen>
  );
};
