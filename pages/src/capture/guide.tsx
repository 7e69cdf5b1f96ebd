import { useContext, useEffect, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Message, Steps } from '../design/display.tsx';
import type { Api, Refused } from './api.ts';
import { ChipStep } from './chip-step.tsx';
import { ContactStep } from './contact-step.tsx';
import { DocumentStep, PortraitStep } from './document-step.tsx';
import { isFramed, tell } from './embed.ts';
import { HandOver } from './hand-over.tsx';
import { useProgress } from './progress.ts';
import { Screen } from './screen.tsx';
import { type Progress, returnAddress, type Session, type Step, stepsOf } from './session.ts';
import { LanguageContext, useText } from './text.ts';

const CONSENTS: Readonly<Record<Step, string>> = {
  DOCUMENT: 'GIV',
  CHIP: 'GIV',
  PORTRAIT: 'PORTRAIT',
  EMAIL: 'EMAIL_OTP',
  MOBILE: 'MOBILE_OTP',
};

interface StartProps {
  session: Session;
  api: Api;
  language: string;
  /** Given where another device may take over. */
  onHandOver?: (() => void) | undefined;
  onAgreed: () => void;
  onEnded: (error: Refused) => void;
}

/** What is needed, and the agreement to it. */
const Start = ({ session, api, language, onHandOver, onAgreed, onEnded }: StartProps) => {
  const t = useText();
  const [agreed, setAgreed] = useState(false);
  const [message, setMessage] = useState('');
  const [sending, setSending] = useState(false);
  const steps = stepsOf(session);
  const { name, beginText: { [language]: beginText } = {} } = session.page ?? {};
  const begin = (): void => {
    if (!agreed) {
      setMessage(t('start.consentFirst'));
      return;
    }
    setSending(true);
    api.consent(session.identityId, [...new Set(steps.map((step) => CONSENTS[step]))]).then(onAgreed, onEnded);
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
        <input type="checkbox" checked={agreed} onChange={() => setAgreed(!agreed)} />
        <span>{t('start.consent')}</span>
      </label>
      <Message>{agreed ? '' : message}</Message>
      <Button tone="primary" wide disabled={sending} onClick={begin}>
        {t('start.go')}
      </Button>
      {onHandOver && (
        <Button wide onClick={onHandOver}>
          {t('handover.offer')}
        </Button>
      )}
      <p class="help">{t('start.privacy')}</p>
    </Screen>
  );
};

/** The end: what was said of it, and the way back. */
export const Finish = ({ session }: { session: Session }) => {
  const t = useText();
  const address = returnAddress(session);
  const { name, finishText: { [useContext(LanguageContext)]: finishText } = {} } = session.page ?? {};
  useEffect(() => tell({ type: 'assay.finished' }), []);
  return (
    <Screen title={t('finish.title')} art="done">
      <p>{finishText ?? t('finish.lead')}</p>
      {address && (
        <a class="button primary wide" href={address} target={isFramed() ? '_top' : undefined}>
          {name ? t('finish.return', { name }) : t('finish.returnPlain')}
        </a>
      )}
    </Screen>
  );
};

/** A device that is no phone offers to go on with one. */
const isDesk = (): boolean => matchMedia('(pointer: fine)').matches && !isFramed();
const PHOTOS: readonly Step[] = ['DOCUMENT', 'CHIP', 'PORTRAIT'];
const mayHandOver = ({ credential }: Progress, steps: readonly Step[]): boolean =>
  'token' in credential && isDesk() && steps.some((each) => PHOTOS.includes(each));

interface StepViewProps {
  api: Api;
  session: Session;
  progress: Progress;
  steps: readonly Step[];
  step: Step;
  language: string;
  onChange: (next: Partial<Progress>) => void;
  onEnded: (error: Refused) => void;
}

/** One step, and how far it is. */
const StepView = ({ api, session, progress, steps, step, language, onChange, onEnded }: StepViewProps) => {
  const t = useText();
  const at = steps.indexOf(step);
  const words = t('progress', { step: at + 1, count: steps.length });
  const { credential } = progress;
  const parts = {
    api,
    identityId: session.identityId,
    sentBefore: progress.sent[step],
    onSent: (evidenceId: string | undefined) => {
      const { [step]: _former, ...others } = progress.sent;
      onChange({ sent: evidenceId ? { ...others, [step]: evidenceId } : others });
    },
    // An address is personal: it is stored no longer than its code is waited for.
    onDone: () => onChange({ done: [...progress.done, step], codes: {} }),
    onEnded,
  };
  return (
    <>
      {steps.length > 1 && <Steps label={words} count={steps.length} current={at} />}
      {steps.length > 1 && <p class="help">{words}</p>}
      {step === 'DOCUMENT' && <DocumentStep {...parts} />}
      {step === 'CHIP' && 'token' in credential && (
        <ChipStep
          {...parts}
          reader={session.page?.chipReader ?? ''}
          token={credential.token}
          documentId={progress.sent.DOCUMENT}
        />
      )}
      {step === 'PORTRAIT' && <PortraitStep {...parts} />}
      {(step === 'EMAIL' || step === 'MOBILE') && (
        <ContactStep
          key={step}
          {...parts}
          step={step}
          language={language}
          codeSentTo={progress.codes?.[step]}
          onCodeSent={(value) => onChange({ codes: { ...progress.codes, [step]: value } })}
        />
      )}
    </>
  );
};

interface GuideProps {
  api: Api;
  session: Session;
  progress: Progress;
  language: string;
  onEnded: (error: Refused) => void;
}

/**
 * The steps of a session in their order, each shown until it is done; a reload goes on where it
 * was.
 */
export const Guide = ({ api, session, progress: before, language, onEnded }: GuideProps) => {
  const t = useText();
  const { progress, ready, change } = useProgress(api, session, before, onEnded);
  const [address, setAddress] = useState<string>();
  const steps = stepsOf(session);
  const step = steps.find((each) => !progress.done.includes(each));
  const finish = step === undefined;
  useEffect(() => {
    document.title = t(finish ? 'finish.title' : 'title');
  }, [finish, language]);
  useEffect(() => {
    if (finish) api.done().catch(() => undefined);
    else tell({ type: 'assay.step', step, at: steps.indexOf(step) + 1, of: steps.length });
  }, [step]);
  const handOver = (): void =>
    void api.handOver(session.identityId).then(({ url }) => {
      change({ handedOver: session });
      setAddress(url);
    }, onEnded);
  const here = (): void => {
    setAddress(undefined);
    change({ handedOver: undefined });
  };
  if (!ready) return <Screen title={t('loading')} />;
  if (finish) return <Finish session={session} />;
  if (address)
    return (
      <HandOver
        api={api}
        url={address}
        onHere={here}
        onDone={() => change({ agreed: true, done: steps })}
        onEnded={onEnded}
      />
    );
  if (!progress.agreed)
    return (
      <Start
        session={session}
        api={api}
        language={language}
        onHandOver={mayHandOver(progress, steps) ? handOver : undefined}
        onAgreed={() => change({ agreed: true })}
        onEnded={onEnded}
      />
    );
  return (
    <StepView
      api={api}
      session={session}
      progress={progress}
      steps={steps}
      step={step}
      language={language}
      onChange={change}
      onEnded={onEnded}
    />
  );
};
