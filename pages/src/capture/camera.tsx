import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Note } from '../design/display.tsx';
import { fitting } from './fitting.ts';
import { type Grey, greyOf, type Hint, hintOf, isSteady, READY_READINGS, readingOf, type Subject } from './measure.ts';
import { type Translate, useText } from './text.ts';

const READ_MS = 180;
const MEASURED_WIDTH = 160;
const QUALITY = 0.92;

const open = (subject: Subject): Promise<MediaStream> =>
  navigator.mediaDevices
    ? navigator.mediaDevices.getUserMedia({
        audio: false,
        video: {
          facingMode: { ideal: subject === 'face' ? 'user' : 'environment' },
          width: { ideal: 1920 },
          height: { ideal: 1080 },
        },
      })
    : Promise.reject(new DOMException('no camera in this browser, or not over TLS', 'NotFoundError'));

type Trouble = 'blocked' | 'busy' | 'none';

/** Why there is no picture, as a browser names it: what helps is not the same. */
const troubleOf = ({ name }: Error): Trouble => {
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy';
  return name === 'NotFoundError' ? 'none' : 'blocked';
};
const WORDS: Readonly<Record<Trouble, (t: Translate) => string>> = {
  blocked: (t) => t('camera.blocked'),
  busy: (t) => t('camera.busy'),
  none: (t) => t('camera.none'),
};

const draw = (video: HTMLVideoElement, canvas: HTMLCanvasElement, width: number): CanvasRenderingContext2D => {
  canvas.width = width;
  canvas.height = Math.round((width * video.videoHeight) / video.videoWidth);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  return context;
};

const shoot = (video: HTMLVideoElement): Promise<Blob | null> =>
  new Promise((resolve) => {
    const canvas = document.createElement('canvas');
    draw(video, canvas, video.videoWidth);
    canvas.toBlob(resolve, 'image/jpeg', QUALITY);
  });

/** Reads the picture a few times a second while the component is there. */
const useHints = (
  video: { current: HTMLVideoElement | null },
  subject: Subject,
  onSteady: () => void,
): Hint | undefined => {
  const [hint, setHint] = useState<Hint>();
  const steady = useRef(onSteady);
  steady.current = onSteady;
  useEffect(() => {
    const canvas = document.createElement('canvas');
    let before: Grey | undefined;
    let hints: Hint[] = [];
    const read = (): void => {
      const { current } = video;
      if (!current?.videoWidth) return;
      const context = draw(current, canvas, MEASURED_WIDTH);
      const now = greyOf(context.getImageData(0, 0, canvas.width, canvas.height));
      hints = [...hints, hintOf(readingOf(now, before), subject)].slice(-READY_READINGS);
      before = now;
      // A hint that flickers helps nobody: it changes once two readings agree.
      if (hints.at(-1) === hints.at(-2)) setHint(hints.at(-1));
      if (isSteady(hints)) steady.current();
    };
    const timer = setInterval(read, READ_MS);
    return () => clearInterval(timer);
  }, [subject]);
  return hint;
};

interface CameraProps {
  subject: Subject;
  onPhoto: (photo: Blob, live: boolean) => void;
}

interface FileChoiceProps {
  only: boolean;
  /** The person looks for a file, or looks no more. */
  onLooking: (looking: boolean) => void;
  onFile: (file: File) => void;
}

const FileChoice = ({ only, onLooking, onFile }: FileChoiceProps) => {
  const t = useText();
  return (
    <label class={`button wide file ${only ? 'primary' : ''}`}>
      {t('camera.upload')}
      <input
        type="file"
        accept="image/jpeg,image/png,image/webp"
        onClick={() => onLooking(true)}
        onCancel={() => onLooking(false)}
        onChange={({ currentTarget: { files } }) => {
          onLooking(false);
          if (files?.[0]) onFile(files[0]);
        }}
      />
    </label>
  );
};

interface FinderProps {
  stream: MediaStream;
  subject: Subject;
  /** No photo is taken by itself now. */
  waits: boolean;
  onPhoto: (photo: Blob) => void;
}

/** The picture of the camera with a frame and the hint that helps now. */
const Finder = ({ stream, subject, waits, onPhoto }: FinderProps) => {
  const t = useText();
  const video = useRef<HTMLVideoElement>(null);
  const [automatic, setAutomatic] = useState(true);
  const taken = useRef(false);
  const take = (): void => {
    if (taken.current || !video.current?.videoWidth) return;
    taken.current = true;
    void shoot(video.current).then((photo) => {
      taken.current = photo !== null;
      if (photo) onPhoto(photo);
    });
  };
  const hint = useHints(video, subject, () => automatic && !waits && take());
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    <>
      <div class={`finder ${subject} ${hint === 'ready' ? 'ready' : ''}`}>
        <video ref={video} autoPlay playsInline muted aria-label={t('camera.picture')} />
        <div class="guide" />
        <p class="hint" role="status">
          {hint ? t(`hint.${hint}`) : t('camera.starting')}
        </p>
      </div>
      <Button tone="primary" wide onClick={take}>
        {t('camera.shoot')}
      </Button>
      <label class="check">
        <input type="checkbox" checked={automatic} onChange={() => setAutomatic(!automatic)} />
        {t('camera.auto')}
      </label>
    </>
  );
};

/** The camera while this is shown, and why there is none. */
const useCamera = (subject: Subject) => {
  const [stream, setStream] = useState<MediaStream>();
  const [trouble, setTrouble] = useState<Trouble>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let over = false;
    let opened: MediaStream | undefined;
    const stop = (): void => {
      for (const track of opened?.getTracks() ?? []) track.stop();
    };
    const watch = (track: MediaStreamTrack): void => {
      // Unplugged, or taken by a call: its picture would stand still.
      track.addEventListener('ended', () => setTrouble('blocked'));
      // Used by another app, or covered by its switch: its picture is black until it is free again.
      track.addEventListener('mute', () => setTrouble('busy'));
      track.addEventListener('unmute', () => setTrouble((now) => (now === 'busy' ? undefined : now)));
    };
    setTrouble(undefined);
    open(subject).then(
      (found) => {
        opened = found;
        if (over) stop();
        else setStream(found);
        found.getTracks().forEach(watch);
      },
      (error: Error) => setTrouble(troubleOf(error)),
    );
    return () => {
      over = true;
      stop();
    };
  }, [subject, attempt]);
  return { stream, trouble, retry: () => setAttempt(attempt + 1) };
};

/** A photo by the camera, or from a file. */
export const Camera = ({ subject, onPhoto }: CameraProps) => {
  const t = useText();
  const { stream, trouble, retry } = useCamera(subject);
  const [looking, setLooking] = useState(false);
  const [reading, setReading] = useState(false);
  const chosen = useRef(false);
  const take = (photo: Blob): void => {
    if (!chosen.current) onPhoto(photo, true);
  };
  const choose = (file: File): void => {
    chosen.current = true;
    setReading(true);
    void fitting(file).then((photo) => onPhoto(photo, false));
  };
  // A large file takes a phone seconds.
  if (reading) return <p role="status">{t('loading')}</p>;
  return (
    <div class="camera">
      {trouble && <Note tone="warn">{WORDS[trouble](t)}</Note>}
      {!trouble && !stream && <p role="status">{t('camera.starting')}</p>}
      {!trouble && stream && <Finder stream={stream} subject={subject} waits={looking} onPhoto={take} />}
      <FileChoice only={trouble !== undefined} onLooking={setLooking} onFile={choose} />
      {trouble && (
        <Button wide onClick={retry}>
          {t('camera.retry')}
        </Button>
      )}
    </div>
  );
};
