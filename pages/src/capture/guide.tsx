import { useEffect, useState } from 'preact/hooks';
import { Steps } from '../design/display.tsx';
import type { Api, Refused } from './api.ts';
import { useBackGuard } from './back.ts';
import { ChipStep } from './chip-step.tsx';
import { ContactStep } from './contact-step.tsx';
import { DocumentStep, PortraitStep } from './document-step.tsx';
import { isFramed, post } from './embed.ts';
import { Finish, type Finished, Start, titleOf } from './ends.tsx';
import { HandOver } from './hand-over.tsx';
import { Leaving } from './leaving.tsx';
import { useProgress } from './progress.ts';
import { lacksAgreement } from './reasons.ts';
import { Screen } from './screen.tsx';
import {
  forgetBegun,
  hasSubmitted,
  type LiveCapture,
  type Progress,
  rememberBegun,
  type Session,
  type Step,
  stepsOf,
} from './session.ts';
import { useText } from './text.ts';

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
    onLive: (live: LiveCapture) => onChange({ live }),
    onSent: (evidenceId: string | undefined) => {
      const { [step]: _former, ...others } = progress.sent;
      const submitted = evidenceId !== undefined || hasSubmitted(progress);
      onChange({ submitted, sent: evidenceId ? { ...others, [step]: evidenceId } : others, live: undefined });
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
          begun={progress.chip}
          onBegun={(chip) => onChange({ chip })}
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
          onConfirmed={() => onChange({ confirmed: [...(progress.confirmed ?? []), step] })}
          onCodeSent={(value) => onChange({ codes: { ...progress.codes, [step]: value } })}
        />
      )}
    </>
  );
};

const finishedOf = (progress: Progress): Finished => {
  if (progress.handedOver) return 'elsewhere';
  return hasSubmitted(progress) ? 'sent' : 'nothing';
};

/** What a refusal for want of the agreement leads to: it is asked for again. */
const useAgreement = (
  { identityId }: Session,
  change: (next: Partial<Progress>) => void,
  onEnded: (error: Refused) => void,
) => {
  const [withdrawn, setWithdrawn] = useState(false);
  const agreed = (): void => {
    rememberBegun(identityId);
    // Who begins here does not wait for the phone any more, also where a reload took its code away.
    change({ agreed: true, handedOver: undefined });
  };
  const refused = (error: Refused): void => {
    if (!lacksAgreement(error)) {
      onEnded(error);
      return;
    }
    forgetBegun();
    setWithdrawn(true);
    change({ agreed: false });
  };
  return { withdrawn, agreed, refused };
};

/** Tells the page around this one, and the device that handed over, how far the person is. */
const useReports = (api: Api, step: Step | undefined, steps: readonly Step[]): void => {
  useEffect(() => {
    if (step) post({ type: 'assay.step', step, at: steps.indexOf(step) + 1, of: steps.length });
    else api.done().catch(() => undefined);
  }, [step]);
};

const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = title;
  }, [title]);
};

/** Whether a device was offered to go on, and what its code says. */
const useHandingOver = (
  api: Api,
  session: Session,
  change: (next: Partial<Progress>) => void,
  onEnded: (error: Refused) => void,
) => {
  const [address, setAddress] = useState<string>();
  const [tooOften, setTooOften] = useState(false);
  const [asking, setAsking] = useState(false);
  const refused = (error: Refused): void => {
    if (error.status === 409) setTooOften(true);
    else onEnded(error);
  };
  const handOver = (): void => {
    setAsking(true);
    api
      .handOver(session.identityId)
      .then(({ url }) => {
        change({ handedOver: session });
        setAddress(url);
      }, refused)
      .finally(() => setAsking(false));
  };
  const here = (): void => {
    setAddress(undefined);
    change({ handedOver: undefined });
  };
  return { address, tooOften, asking, handOver, here };
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
  const { address, tooOften, asking, handOver, here } = useHandingOver(api, session, change, onEnded);
  const steps = stepsOf(session);
  const step = steps.find((each) => !progress.done.includes(each));
  const finish = step === undefined;
  const { leaving, stay } = useBackGuard(!finish && (progress.agreed || address !== undefined));
  useReports(api, step, steps);
  useTitle(t(finish ? titleOf(finishedOf(progress)) : 'title'));
  const { withdrawn, agreed, refused } = useAgreement(session, change, onEnded);
  if (!ready) return <Screen title={t('loading')} />;
  if (finish)
    return (
      <Finish
        session={session}
        finished={finishedOf(progress)}
        onAgain={steps.length > 0 ? () => change({ done: [] }) : undefined}
      />
    );
  if (address)
    return (
      <HandOver
        api={api}
        url={address}
        onHere={() => {
          stay();
          here();
        }}
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
        onHandOver={mayHandOver(progress, steps) && !tooOften ? handOver : undefined}
        handingOver={asking}
        notice={tooOften ? t('handover.tooOften') : ''}
        withdrawn={withdrawn}
        onAgreed={agreed}
        onEnded={onEnded}
      />
    );
  const parts = { api, session, progress, steps, step, language, onChange: change, onEnded: refused };
  return (
    <>
      <StepView {...parts} />
      <Leaving open={leaving} onStay={stay} />
    </>
  );
};
