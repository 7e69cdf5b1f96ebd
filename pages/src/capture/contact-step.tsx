import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Field } from '../design/controls.tsx';
import { Message } from '../design/display.tsx';
import { newKey } from '../design/repeats.ts';
import { isPassing, type Refused } from './api.ts';
import { plainCode, plainDigits } from './digits.ts';
import type { StepProps } from './document-step.tsx';
import { Good } from './outcome.tsx';
import { reasonOfRefusal } from './reasons.ts';
import { Screen } from './screen.tsx';
import { useText } from './text.ts';

interface ContactStepProps extends Omit<StepProps, 'sentBefore' | 'onLive' | 'onSent'> {
  step: 'EMAIL' | 'MOBILE';
  language: string;
  /** The address or number that a code is on its way to. */
  codeSentTo: string | undefined;
  onCodeSent: (value: string | undefined) => void;
  onConfirmed: () => void;
}

/**
 * Calls one after the other; says in words what is refused, and ends where the whole check has.
 * What was not answered is sent again as the same call: it may have arrived.
 */
const useCalls = (onEnded: (error: Refused) => void) => {
  const t = useText();
  const [message, setMessage] = useState('');
  const [sending, setSending] = useState(false);
  const unanswered = useRef<{ what: string; key: string } | undefined>(undefined);
  // The code of a step that was passed over meanwhile is not waited for.
  const left = useRef(false);
  useEffect(
    () => () => {
      left.current = true;
    },
    [],
  );
  const failed = (error: Refused): void => {
    if (!isPassing(error)) unanswered.current = undefined;
    const isEnd = [401, 403, 404, 410].includes(error.status) || error.errors.some(({ code }) => code === '4090');
    if (isEnd) onEnded(error);
    else setMessage(`reason.${reasonOfRefusal(error)}`);
  };
  const call = (what: string, send: (key: string) => Promise<unknown>, then: () => void): void => {
    setMessage('');
    setSending(true);
    const { current } = unanswered;
    const key = current?.what === what ? current.key : newKey();
    unanswered.current = { what, key };
    send(key)
      .then(() => {
        unanswered.current = undefined;
        then();
      }, failed)
      .finally(() => setSending(false));
  };
  return { call, message: message && t(message), sending, clear: () => setMessage(''), isLeft: () => left.current };
};

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

interface EnterProps {
  message: string;
  sending: boolean;
  onEntered: (value: string) => void;
}

const EnterContact = ({ step, message, sending, onEntered }: EnterProps & Pick<ContactStepProps, 'step'>) => {
  const t = useText();
  return (
    <form onSubmit={(event) => onEntered(entered(event))}>
      <Field label={t(`contact.${step}`)}>
        <Contact step={step} />
      </Field>
      <Message>{message}</Message>
      <Button type="submit" tone="primary" wide disabled={sending}>
        {t('contact.send')}
      </Button>
    </form>
  );
};

const EnterCode = ({ message, sending, onEntered, newCodes }: EnterProps & { newCodes: number }) => {
  const t = useText();
  const field = useRef<HTMLInputElement>(null);
  // The code that was typed is void: the new one is typed over it.
  useEffect(() => {
    if (newCodes > 0) field.current?.select();
  }, [newCodes]);
  return (
    <form onSubmit={(event) => onEntered(entered(event))}>
      <Field label={t('contact.code')}>
        <input ref={field} name="value" inputMode="numeric" autoComplete="one-time-code" required />
      </Field>
      <Message>{message}</Message>
      <Button type="submit" tone="primary" wide disabled={sending}>
        {t('contact.confirm')}
      </Button>
    </form>
  );
};

/** An address or a number, confirmed by a code that is sent to it. */
export const ContactStep = (props: ContactStepProps) => {
  const { api, identityId, step, language, codeSentTo, onCodeSent, onConfirmed, onDone, onEnded } = props;
  const t = useText();
  const { call, message, sending, clear, isLeft } = useCalls(onEnded);
  const [confirmed, setConfirmed] = useState(false);
  const art = step === 'EMAIL' ? 'mail' : 'phone';
  const channel = step === 'EMAIL' ? 'email' : 'mobile';
  const [newCodes, setNewCodes] = useState(0);
  const send = (value: string, then?: () => void): void =>
    call(
      `code to ${value}`,
      (key) => api.startCode(identityId, channel, { value, language }, key),
      () => {
        if (!isLeft()) onCodeSent(value);
        then?.();
      },
    );
  const enter = (value: string): void => send(step === 'EMAIL' ? value : plainDigits(value));
  const confirm = (code: string): void =>
    call(
      `code ${plainCode(code)}`,
      (key) => api.giveCode(identityId, channel, plainCode(code), key),
      () => {
        onConfirmed();
        setConfirmed(true);
      },
    );
  const other = (): void => {
    clear();
    setNewCodes(0);
    onCodeSent(undefined);
  };
  if (confirmed) return <Good title={t(`result.${step}`)} art="done" onDone={onDone} />;
  return (
    <Screen title={t(codeSentTo === undefined ? `contact.title.${step}` : 'contact.enter')} art={art}>
      {codeSentTo === undefined ? (
        <EnterContact step={step} message={message} sending={sending} onEntered={enter} />
      ) : (
        <>
          <p role="status">{t(newCodes > 0 ? 'contact.sentAgain' : 'contact.sent', { value: codeSentTo })}</p>
          <EnterCode newCodes={newCodes} message={message} sending={sending} onEntered={confirm} />
          <Button
            tone="plain"
            wide
            disabled={sending}
            onClick={() => send(codeSentTo, () => setNewCodes((count) => count + 1))}
          >
            {t('contact.again')}
          </Button>
          <Button tone="plain" wide disabled={sending} onClick={other}>
            {t(`contact.other.${step}`)}
          </Button>
        </>
      )}
      <Button tone="plain" wide onClick={onDone}>
        {t('result.skip')}
      </Button>
    </Screen>
  );
};
