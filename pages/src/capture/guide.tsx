import { useEffect, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Message, Steps } from '../design/display.tsx';
import type { Api, Refused, Submitted } from './api.ts';
import { ContactStep } from './contact-step.tsx';
import { DocumentStep, PortraitStep } from './document-step.tsx';
import { Screen } from './screen.tsx';
import { type Progress, returnAddress, type Session, type Step, stepsOf, storeProgress } from './session.ts';
import { useText } from './text.ts';

const CONSENTS: Readonly<Record<Step, string>> = {
  DOCUMENT: 'GIV',
  PORTRAIT: 'PORTRAIT',
  EMAIL: 'EMAIL_OTP',
  MOBILE: 'MOBILE_OTP',
};

interface StartProps {
  session: Session;
  api: Api;
  onAgreed: () => void;
  onEnded: (error: Refused) => void;
}

/** What is needed, and the agreement to it. */
const Start = ({ session, api, onAgreed, onEnded }: StartProps) => {
  const t = useText();
  const [agreed, setAgreed] = useState(false);
  const [message, setMessage] = useState('');
  const [sending, setSending] = useState(false);
  const steps = stepsOf(session);
  const begin = (): void => {
    if (!agreed) {
      setMessage(t('start.consentFirst'));
      return;
    }
    setSending(true);
    api
      .consent(
        session.identityId,
        steps.map((step) => CONSENTS[step]),
      )
      .then(onAgreed, onEnded);
  };
  return (
    <Screen title={t('title')} art="face">
      {session.brand?.name && <p>{t('start.with', { name: session.brand.name })}</p>}
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
      <p class="help">{t('start.privacy')}</p>
    </Screen>
  );
};

const Finish = ({ session }: { session: Session }) => {
  const t = useText();
  const address = returnAddress(session);
  return (
    <Screen title={t('finish.title')} art="done">
      <p>{t('finish.lead')}</p>
      {address && (
        <a class="button primary wide" href={address}>
          {session.brand?.name ? t('finish.return', { name: session.brand.name }) : t('finish.returnPlain')}
        </a>
      )}
    </Screen>
  );
};

const PORTRAITS = ['PORTRAIT'];
const CONTACTS = ['EMAIL', 'MOBILE_OTP', 'PORTRAIT_REFERENCE', 'ATTRIBUTES', 'ADDRESS', 'MEDICARE'];

/** What arrived although its answer was lost with the page: the newest evidence of a step that still waits or was good. */
const adopt = (found: readonly Submitted[]): Progress['sent'] => {
  const usable = found.filter(({ status }) => status !== 'NOT_VERIFIED' && status !== 'INVALID');
  const portrait = usable.findLast(({ type }) => PORTRAITS.includes(type));
  const document = usable.findLast(({ type }) => ![...PORTRAITS, ...CONTACTS].includes(type));
  return { ...(document ? { DOCUMENT: document.id } : {}), ...(portrait ? { PORTRAIT: portrait.id } : {}) };
};

interface GuideProps {
  api: Api;
  session: Session;
  progress: Progress;
  language: string;
  onEnded: (error: Refused) => void;
}

/** The steps of a session in their order, each shown until it is done; a reload goes on where it was. */
export const Guide = ({ api, session, progress: before, language, onEnded }: GuideProps) => {
  const t = useText();
  const [progress, setProgress] = useState(before);
  const [ready, setReady] = useState(!before.agreed);
  const change = (next: Partial<Progress>): void => setProgress((now) => ({ ...now, ...next }));
  useEffect(() => storeProgress(progress), [progress]);
  useEffect(() => {
    if (ready) return;
    api.statuses(session.identityId).then(({ singleStatuses }) => {
      change({ sent: { ...adopt(singleStatuses), ...before.sent } });
      setReady(true);
    }, onEnded);
  }, []);
  const steps = stepsOf(session);
  const step = steps.find((each) => !progress.done.includes(each));
  const finish = step === undefined;
  useEffect(() => {
    document.title = t(finish ? 'finish.title' : 'title');
  }, [finish, language]);
  if (!ready) return <Screen title={t('loading')} />;
  if (!progress.agreed)
    return <Start session={session} api={api} onAgreed={() => change({ agreed: true })} onEnded={onEnded} />;
  if (finish) return <Finish session={session} />;
  const at = steps.indexOf(step);
  const words = t('progress', { step: at + 1, count: steps.length });
  const parts = {
    api,
    identityId: session.identityId,
    sentBefore: progress.sent[step],
    onSent: (evidenceId: string | undefined) => {
      const { [step]: _former, ...others } = progress.sent;
      change({ sent: evidenceId ? { ...others, [step]: evidenceId } : others });
    },
    onDone: () => change({ done: [...progress.done, step] }),
    onEnded,
  };
  return (
    <>
      <Steps label={words} count={steps.length} current={at} />
      <p class="help">{words}</p>
      {step === 'DOCUMENT' && <DocumentStep {...parts} />}
      {step === 'PORTRAIT' && <PortraitStep {...parts} />}
      {(step === 'EMAIL' || step === 'MOBILE') && <ContactStep key={step} {...parts} step={step} language={language} />}
    </>
  );
};
