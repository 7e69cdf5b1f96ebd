import { useEffect, useState } from 'preact/hooks';
import encodeQR from 'qr';
import { Button } from '../design/controls.tsx';
import { Message } from '../design/display.tsx';
import { type Api, type Handover, isPassing, type Refused } from './api.ts';
import { useBackTo } from './back.ts';
import { reasonOfRefusal } from './reasons.ts';
import { Screen } from './screen.tsx';
import { useText } from './text.ts';

const POLL_MS = 1500;
const QUIET_ZONE = 4;

/** The code of an address, drawn as one path. */
const Code = ({ text, label }: { text: string; label: string }) => {
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: QUIET_ZONE });
  const path = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('');
  return (
    <svg class="qr" viewBox={`0 0 ${modules.length} ${modules.length}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
};

/** How far a handover has come, asked now and then; what fails is asked again. */
const useHandover = (api: Api, first: Handover, onEnded: (error: Refused) => void): Handover => {
  const [state, setState] = useState(first);
  useEffect(() => {
    const timer = setInterval(() => {
      api.handover().then(
        ({ handover }) => setState(handover),
        (error: Refused) => {
          if (error.status === 401 || error.status === 410) onEnded(error);
        },
      );
    }, POLL_MS);
    return () => clearInterval(timer);
  }, []);
  return state;
};

interface HandOverProps {
  api: Api;
  /** The address for the phone; absent where the phone has taken over before a reload. */
  url?: string;
  /** This device goes on; the phone acts no more. */
  onHere: () => void;
  onDone: () => void;
  onEnded: (error: Refused) => void;
}

interface HereProps extends Omit<HandOverProps, 'url'> {
  /** Back leads here as well, where no phone is disturbed by it. */
  byBack: boolean;
}

/** The button that makes this device the one to go on with. */
const Here = ({ api, byBack, onHere, onDone, onEnded }: HereProps) => {
  const t = useText();
  const [sending, setSending] = useState(false);
  const [message, setMessage] = useState('');
  const failed = (error: Refused): void => {
    setSending(false);
    if (isPassing(error)) setMessage(t(`reason.${reasonOfRefusal(error)}`));
    else onEnded(error);
  };
  const takeBack = (): void => {
    setMessage('');
    setSending(true);
    api.takeBack().then(({ handover }) => (handover === 'DONE' ? onDone() : onHere()), failed);
  };
  useBackTo(byBack ? takeBack : undefined);
  return (
    <>
      <Message>{message}</Message>
      <Button tone="plain" wide disabled={sending} onClick={takeBack}>
        {t('handover.here')}
      </Button>
    </>
  );
};

/** The code for the phone, then what the phone does, until it is done. */
export const HandOver = ({ api, url, onHere, onDone, onEnded }: HandOverProps) => {
  const t = useText();
  const state = useHandover(api, url ? 'WAITING' : 'TAKEN', onEnded);
  useEffect(() => {
    if (state === 'DONE') onDone();
  }, [state]);
  const waits = url !== undefined && state === 'WAITING';
  const here = <Here api={api} byBack={waits} onHere={onHere} onDone={onDone} onEnded={onEnded} />;
  if (waits)
    return (
      <Screen title={t('handover.title')}>
        <p>{t('handover.lead')}</p>
        <Code text={url} label={t('handover.alt')} />
        <p class="help waiting" role="status">
          {t('handover.waiting')}
        </p>
        {here}
      </Screen>
    );
  return (
    <Screen title={t('handover.taken')} art="phone">
      <p role="status">{t('handover.takenLead')}</p>
      <div class="spinner" />
      <p class="help">{t('handover.lost')}</p>
      {here}
    </Screen>
  );
};
