import { Button } from '../design/controls.tsx';
import type { Refused } from './api.ts';
import { Screen } from './screen.tsx';
import { useText } from './text.ts';

/** Where developers try the page with a key instead of a link. */
const TRY_OUT = '/capture?try-out';
export const isTryOut = (): boolean => new URLSearchParams(location.search).has('try-out');

type End = 'expired' | 'used' | 'closed' | 'offline' | 'tab' | 'noLink';

interface Opened {
  expireAt?: string | undefined;
}
/**
 * A link that was good and is refused before its time: its identity was closed, and its session
 * with it.
 */
const isInTime = (opened: Opened | undefined): boolean =>
  opened?.expireAt !== undefined && Date.parse(`${opened.expireAt}Z`) > Date.now();

/**
 * Why nothing more can be done here: a link that expired or was never given, one in use elsewhere,
 * an identity that was closed, no connection. Besides, the page may be open in another tab, or have
 * been opened without a link.
 */
export const endOf = ({ status, errors }: Refused, opened?: Opened): End => {
  if (status === 401 && isInTime(opened)) return 'closed';
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
    tab: [t('ended.tab'), t('ended.tabLead')],
    noLink: [t('ended.noLink'), t('ended.noLinkLead')],
  }[end];
  const again = { offline: t('result.again'), tab: t('ended.tabHere') }[end as string];
  return (
    <Screen title={words[0]!} art="ended">
      <p>{words[1]}</p>
      {again && (
        <Button tone="primary" wide onClick={() => location.reload()}>
          {again}
        </Button>
      )}
      {end === 'noLink' && (
        <a class="button plain wide" href={TRY_OUT} lang="en">
          For developers: try it with a key
        </a>
      )}
    </Screen>
  );
};
