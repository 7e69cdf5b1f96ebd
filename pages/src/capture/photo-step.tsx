import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Note } from '../design/display.tsx';
import type { Api, Refused, Submitted } from './api.ts';
import { Camera } from './camera.tsx';
import type { Subject } from './measure.ts';
import { Outcome, useOutcome } from './outcome.tsx';
import { reasonsOf } from './reasons.ts';
import { Screen } from './screen.tsx';
import { type Translate, useText } from './text.ts';

export interface Shot {
  name: 'DocumentFront' | 'DocumentBack' | 'Portrait';
  title: string;
}

interface Photo {
  image: Blob;
  live: boolean;
}

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

const formOf = (shots: readonly Shot[], photos: readonly Photo[], documentType: string | undefined): FormData => {
  const form = new FormData();
  shots.forEach(({ name }, at) => {
    form.append(name, photos[at]!.image, `${name}.jpg`);
  });
  if (documentType) {
    const source = photos.every(({ live }) => live) ? 'LIVE_CAPTURE_IMAGE' : 'OTHER';
    form.append('DocumentCaptureDetails', JSON.stringify({ documentType, source, channel: 'webSDK' }));
  }
  return form;
};

interface SendingProps {
  api: Api;
  path: string;
  form: () => FormData;
  idempotencyKey: string;
  onSent: (sent: Submitted) => void;
  onRefused: (error: Refused) => void;
}

/** Sends by itself; what did not arrive is sent again as the same submission. */
const Sending = ({ api, path, form, idempotencyKey, onSent, onRefused }: SendingProps) => {
  const t = useText();
  const [share, setShare] = useState(0);
  const [failed, setFailed] = useState(false);
  const send = (): void => {
    setFailed(false);
    api.upload({ path, form: form(), idempotencyKey, onProgress: setShare }).then(onSent, (error: Refused) => {
      if (error.status === 0 || error.status >= 500) setFailed(true);
      else onRefused(error);
    });
  };
  useEffect(send, []);
  const words = t('send.progress', { percent: Math.round(share * 100) });
  return (
    <Screen title={failed ? t('result.bad') : words} art={failed ? 'retry' : 'document'}>
      {failed ? (
        <>
          <Note tone="warn">{t('send.failed')}</Note>
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

const Refusal = ({ error, onAgain, t }: { error: Refused; onAgain: () => void; t: Translate }) => (
  <Screen title={t('result.bad')} art="retry">
    {reasonsOf(error.errors).map((reason) => (
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
  const { api, identityId, step, subject, lead, shots, documentType, sentBefore, onSent, onDone, onEnded, onBack } =
    props;
  const t = useText();
  const [photos, setPhotos] = useState<Photo[]>([]);
  const [reviewed, setReviewed] = useState(0);
  const [refused, setRefused] = useState<Refused>();
  const key = useRef('');
  const outcome = useOutcome(api, identityId, sentBefore, onEnded);
  const again = (): void => {
    setPhotos([]);
    setReviewed(0);
    setRefused(undefined);
    onSent(undefined);
  };
  const use = (): void => {
    key.current = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    setReviewed(reviewed + 1);
  };
  if (sentBefore) return <Outcome step={step} outcome={outcome} onAgain={again} onDone={onDone} />;
  if (refused) return <Refusal error={refused} onAgain={again} t={t} />;
  if (reviewed === shots.length)
    return (
      <Sending
        api={api}
        path={`/identities/${identityId}/${step === 'DOCUMENT' ? 'id-documents' : 'attributes/portrait'}/capture`}
        form={() => formOf(shots, photos, documentType)}
        idempotencyKey={key.current}
        onSent={({ id }) => onSent(id)}
        onRefused={(error) => (error.status === 400 || error.status === 413 ? setRefused(error) : onEnded(error))}
      />
    );
  const photo = photos[reviewed];
  if (photo)
    return (
      <Review photo={photo.image} subject={subject} onUse={use} onAgain={() => setPhotos(photos.slice(0, reviewed))} />
    );
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
