import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Note } from '../design/display.tsx';
import { newKey } from '../design/repeats.ts';
import { type Api, isPassing, type Refused, type Submitted } from './api.ts';
import { useBackTo } from './back.ts';
import { Camera } from './camera.tsx';
import type { Subject } from './measure.ts';
import { Outcome, useOutcome } from './outcome.tsx';
import { reasonsOf, reasonsOfRefusal } from './reasons.ts';
import { Screen } from './screen.tsx';
import type { LiveCapture } from './session.ts';
import { isLost, type Photo, type Shot, type Submission, submitPhotos } from './submission.ts';
import { type Translate, useText } from './text.ts';

const Review = ({
  photo,
  subject,
  onUse,
  onAgain,
}: {
  photo: Blob;
  subject: Subject;
  onUse: () => void;
  onAgain: () => void;
}) => {
  const t = useText();
  const [url, setUrl] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(photo);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [photo]);
  return (
    <Screen title={t('review.title')}>
      <p>{t(subject === 'face' ? 'review.face' : 'review.document')}</p>
      {url && <img class={`photo ${subject}`} src={url} alt={t('review.alt')} />}
      <Button tone="primary" wide onClick={onUse}>
        {t('review.use')}
      </Button>
      <Button wide onClick={onAgain}>
        {t('review.again')}
      </Button>
    </Screen>
  );
};

interface SendingProps {
  api: Api;
  submission: Omit<Submission, 'idempotencyKey'>;
  onLive: (live: LiveCapture) => void;
  onSent: (sent: Submitted) => void;
  onRefused: (error: Refused) => void;
}

/** Sends by itself; what did not arrive is sent again as the same submission. */
const Sending = ({ api, submission, onLive, onSent, onRefused }: SendingProps) => {
  const t = useText();
  const [share, setShare] = useState(0);
  const [failed, setFailed] = useState<Refused>();
  const key = useRef(newKey());
  const send = (): void => {
    setFailed(undefined);
    const sending = { onProgress: setShare, onLive };
    submitPhotos(api, { ...submission, idempotencyKey: key.current }, sending).then(onSent, (error: Refused) => {
      if (isLost(error)) key.current = newKey();
      if (isLost(error) || isPassing(error)) setFailed(error);
      else onRefused(error);
    });
  };
  useEffect(send, []);
  const words = t('send.progress', { percent: Math.round(share * 100) });
  return (
    <Screen
      title={failed ? t('result.bad') : words}
      name={failed ? 'failed' : 'sending'}
      art={failed ? 'retry' : 'document'}
    >
      {failed ? (
        <>
          <Note tone="warn">
            {t(failed.errors.length > 0 ? `reason.${reasonsOf(failed.errors)[0]}` : 'send.failed')}
          </Note>
          <Button tone="primary" wide onClick={send}>
            {t('send.again')}
          </Button>
        </>
      ) : (
        <progress value={share} max={1} aria-label={words} />
      )}
    </Screen>
  );
};

/** A refusal of these photos; any other is one of the whole check. */
const isOfPhotos = ({ status }: Refused): boolean => status === 400 || status === 413;

const Refusal = ({ error, onAgain, t }: { error: Refused; onAgain: () => void; t: Translate }) => (
  <Screen title={t('result.bad')} art="retry">
    {reasonsOfRefusal(error).map((reason) => (
      <Note key={reason} tone="warn">
        {t(`reason.${reason}`)}
      </Note>
    ))}
    <Button tone="primary" wide onClick={onAgain}>
      {t('result.again')}
    </Button>
  </Screen>
);

interface PhotoStepProps {
  api: Api;
  identityId: string;
  step: 'DOCUMENT' | 'PORTRAIT';
  subject: Subject;
  lead: string;
  shots: readonly Shot[];
  documentType?: string;
  /** The evidence that was sent before a reload. */
  sentBefore: string | undefined;
  onLive: (live: LiveCapture) => void;
  onSent: (evidenceId: string | undefined) => void;
  onDone: () => void;
  onEnded: (error: Refused) => void;
  onBack?: () => void;
}

/**
 * Photos one after the other, each reviewed, then sent together, checked, and either accepted or
 * taken again.
 */
export const PhotoStep = (props: PhotoStepProps) => {
  const {
    api,
    identityId,
    step,
    subject,
    lead,
    shots,
    documentType,
    sentBefore,
    onLive,
    onSent,
    onDone,
    onEnded,
    onBack,
  } = props;
  const t = useText();
  const [photos, setPhotos] = useState<Photo[]>([]);
  const [reviewed, setReviewed] = useState(0);
  const [refused, setRefused] = useState<Refused>();
  const outcome = useOutcome(api, identityId, sentBefore, onEnded);
  const again = (): void => {
    setPhotos([]);
    setReviewed(0);
    setRefused(undefined);
    onSent(undefined);
  };
  const retake = (): void => setPhotos(photos.slice(0, reviewed));
  const former = (): void => setReviewed(reviewed - 1);
  const atCamera = photos.length === reviewed && reviewed < shots.length;
  const before = reviewed > 0 ? former : onBack;
  useBackTo(sentBefore || refused || reviewed === shots.length ? undefined : atCamera ? before : retake);
  if (sentBefore) return <Outcome step={step} outcome={outcome} onAgain={again} onDone={onDone} />;
  if (refused) return <Refusal error={refused} onAgain={again} t={t} />;
  if (reviewed === shots.length)
    return (
      <Sending
        api={api}
        submission={{ identityId, step, documentType, shots, photos }}
        onLive={onLive}
        onSent={({ id }) => onSent(id)}
        onRefused={(error) => (isOfPhotos(error) ? setRefused(error) : onEnded(error))}
      />
    );
  const photo = photos[reviewed];
  if (photo)
    return <Review photo={photo.image} subject={subject} onUse={() => setReviewed(reviewed + 1)} onAgain={retake} />;
  return (
    <Screen title={shots[reviewed]!.title} key={shots[reviewed]!.name}>
      <p>{lead}</p>
      <Camera subject={subject} onPhoto={(image, live) => setPhotos([...photos.slice(0, reviewed), { image, live }])} />
      {onBack && (
        <Button tone="plain" wide onClick={onBack}>
          {t('back')}
        </Button>
      )}
    </Screen>
  );
};
