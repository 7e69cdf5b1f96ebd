import { useEffect, useState } from 'preact/hooks';
import encodeQR from 'qr';
import { Button } from '../design/controls.tsx';
import type { Api, Handover, Refused } from './api.ts';
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
  onHere: () => void;
  onDone: () => void;
  onEnded: (error: Refused) => void;
}

/** The code for the phone, then what the phone does, until it is done. */
export const HandOver = ({ api, url, onHere, onDone, onEnded }: HandOverProps) => {
  const t = useText();
  const state = useHandover(api, url ? 'WAITING' : 'TAKEN', onEnded);
  useEffect(() => {
    if (state === 'DONE') onDone();
  }, [state]);
  if (url && state === 'WAITING')
    return (
      <Screen title={t('handover.title')}>
        <p>{t('handover.lead')}</p>
        <Code text={url} label={t('handover.alt')} />
        <p class="help waiting" role="status">
          {t('handover.waiting')}
        </p>
        <Button tone="plain" wide onClick={onHere}>
          {t('handover.here')}
        </Button>
      </Screen>
    );
  return (
    <Screen title={t('handover.taken')} art="phone">
      <p role="status">{t('handover.takenLead')}</p>
      <div class="spinner" />
    </Screen>
  );
};
