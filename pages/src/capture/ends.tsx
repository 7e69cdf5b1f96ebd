import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Message } from '../design/display.tsx';
import { newKey } from '../design/repeats.ts';
import { type Api, isPassing, type Refused } from './api.ts';
import { isFramed, post } from './embed.ts';
import { reasonOfRefusal } from './reasons.ts';
import { Screen } from './screen.tsx';
import { returnAddress, type Session, type Step, stepsOf } from './session.ts';
import { LanguageContext, type Translate, useText } from './text.ts';

const CONSENTS: Readonly<Record<Step, string>> = {
  DOCUMENT: 'GIV',
  CHIP: 'GIV',
  PORTRAIT: 'PORTRAIT',
  EMAIL: 'EMAIL_OTP',
  MOBILE: 'MOBILE_OTP',
};

/** What a person agrees to: that of these steps, and nothing else. */
const agreementTo = (steps: readonly Step[], t: Translate): string => {
  const asksIssuer = steps.some((step) => CONSENTS[step] === 'GIV');
  const sentences = [
    t('start.consent'),
    asksIssuer && t('start.consentDocument'),
    steps.includes('PORTRAIT') && t('start.consentPortrait'),
  ];
  return sentences.filter(Boolean).join(' ');
};

interface StartProps {
  session: Session;
  api: Api;
  language: string;
  /** Given where another device may take over. */
  onHandOver?: (() => void) | undefined;
  /** A code for the other device is on its way: a further one would make it worthless. */
  handingOver: boolean;
  /** Why another device may not, where that was asked for. */
  notice: string;
  /** It was given before, and taken back elsewhere. */
  withdrawn: boolean;
  onAgreed: () => void;
  onEnded: (error: Refused) => void;
}

/** What is needed, and the agreement to it. */
export const Start = (props: StartProps) => {
  const { session, api, language, onHandOver, handingOver, notice, withdrawn, onAgreed, onEnded } = props;
  const t = useText();
  const [agreed, setAgreed] = useState(false);
  const [message, setMessage] = useState(withdrawn ? 'reason.consent' : '');
  const [sending, setSending] = useState(false);
  const key = useRef(newKey());
  const steps = stepsOf(session);
  const { name, beginText: { [language]: beginText } = {} } = session.page ?? {};
  // For `npm run bench:capture`, and for whoever measures from outside: the first step is there.
  useEffect(() => void performance.mark('assay.first-step'), []);
  const failed = (error: Refused): void => {
    if (isPassing(error)) setMessage(`reason.${reasonOfRefusal(error)}`);
    else onEnded(error);
  };
  const begin = (): void => {
    if (!agreed) {
      setMessage('start.consentFirst');
      return;
    }
    setMessage('');
    setSending(true);
    api
      .consent(session.identityId, [...new Set(steps.map((step) => CONSENTS[step]))], key.current)
      .then(onAgreed, failed)
      .finally(() => setSending(false));
  };
  return (
    <Screen title={t('title')} art="face">
      {(beginText ?? name) && <p>{beginText ?? t('start.with', { name: name ?? '' })}</p>}
      <p>{t('start.lead')}</p>
      <ul>
        {steps.map((step) => (
          <li key={step}>{t(`start.${step}`)}</li>
        ))}
      </ul>
      <label class="check">
        <input
          type="checkbox"
          checked={agreed}
          onChange={() => {
            setMessage('');
            setAgreed(!agreed);
          }}
        />
        <span>{agreementTo(steps, t)}</span>
      </label>
      <Message>{message ? t(message) : notice}</Message>
      <Button tone="primary" wide disabled={sending} onClick={begin}>
        {t('start.go')}
      </Button>
      {onHandOver && (
        <Button wide disabled={handingOver} onClick={onHandOver}>
          {t('handover.offer')}
        </Button>
      )}
      <p class="help">{t('start.privacy')}</p>
    </Screen>
  );
};

/** How it went: something was sent, nothing was, or another device knows. */
export type Finished = 'sent' | 'nothing' | 'elsewhere';
const WORDS = {
  sent: ['finish.title', 'finish.lead'],
  nothing: ['finish.nothing', 'finish.nothingLead'],
  elsewhere: ['finish.title', 'finish.elsewhereLead'],
} as const;
export const titleOf = (finished: Finished): string => WORDS[finished][0];

interface FinishProps {
  session: Session;
  finished: Finished;
  /** Given where the steps can be gone through once more. */
  onAgain?: (() => void) | undefined;
}

/** The end: what was said of it, and the way back. */
export const Finish = ({ session, finished, onAgain }: FinishProps) => {
  const t = useText();
  const address = returnAddress(session);
  const { name, finishText: { [useContext(LanguageContext)]: finishText } = {} } = session.page ?? {};
  const isNothing = finished === 'nothing';
  const [title, lead] = WORDS[finished];
  useEffect(() => post({ type: 'assay.finished' }), []);
  return (
    <Screen title={t(title)} art={isNothing ? 'ended' : 'done'}>
      <p>{(isNothing ? undefined : finishText) ?? t(lead)}</p>
      {isNothing && onAgain && (
        <Button tone="primary" wide onClick={onAgain}>
          {t('result.again')}
        </Button>
      )}
      {address && (
        <a
          class={isNothing ? 'button wide' : 'button primary wide'}
          href={address}
          target={isFramed() ? '_top' : undefined}
        >
          {name ? t('finish.return', { name }) : t('finish.returnPlain')}
        </a>
      )}
    </Screen>
  );
};
