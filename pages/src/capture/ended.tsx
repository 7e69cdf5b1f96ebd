import { Button } from '../design/controls.tsx';
import type { Refused } from './api.ts';
import { Screen } from './screen.tsx';
import { useText } from './text.ts';

type End = 'expired' | 'used' | 'closed' | 'offline';

/**
 * Why nothing more can be done here: a link that expired or was never given, one in use elsewhere,
 * an identity that was closed, no connection.
 */
export const endOf = ({ status, errors }: Refused): End => {
  if (status === 401 || status === 404 || status === 403) return 'expired';
  if (status === 410) return errors.some(({ code }) => code === '4100') ? 'closed' : 'used';
  return status === 409 ? 'closed' : 'offline';
};

export const Ended = ({ end }: { end: End }) => {
  const t = useText();
  const words = {
    expired: [t('ended.expired'), t('ended.expiredLead')],
    used: [t('ended.used'), t('ended.usedLead')],
    closed: [t('ended.closed'), t('ended.closedLead')],
    offline: [t('ended.offline'), t('ended.offlineLead')],
  }[end];
  return (
    <Screen title={words[0]!} art="ended">
      <p>{words[1]}</p>
      {end === 'offline' && (
        <Button tone="primary" wide onClick={() => location.reload()}>
          {t('result.again')}
        </Button>
      )}
    </Screen>
  );
};
