import { useEffect } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Paused, type Refused } from './api.ts';
import { Screen } from './screen.tsx';
import { useText } from './text.ts';

/** Where developers try the page with a key instead of a link. */
const TRY_OUT = '/capture?try-out';
export const isTryOut = (): boolean => new URLSearchParams(location.search).has('try-out');

export type End = 'expired' | 'used' | 'closed' | 'offline' | 'busy' | 'trouble' | 'paused' | 'tab' | 'noLink';

/** Ends that may pass: the same can be tried again. */
const PASSING: readonly End[] = ['offline', 'busy', 'trouble', 'paused'];
export const mayPass = (end: End): boolean => PASSING.includes(end);

interface Opened {
  expireAt?: string | undefined;
}
/**
 * A link that was good and is refused before its time: its identity was closed, and its session
 * with it.
 */
const isInTime = ({ at }: Refused, opened: Opened | undefined): boolean =>
  opened?.expireAt !== undefined && Date.parse(`${opened.expireAt}Z`) > at;

/**
 * Why nothing more can be done here: a link that expired or was never given, one in use elsewhere,
 * an identity that was closed, no connection, a service that is asked too often or in trouble.
 * Besides, the page may be open in another tab, or have been opened without a link.
 */
export const endOf = (refused: Refused, opened?: Opened): End => {
  const { status, errors } = refused;
  if (refused instanceof Paused) return 'paused';
  if (status === 401 && isInTime(refused, opened)) return 'closed';
  if (status === 401 || status === 404 || status === 403) return 'expired';
  if (status === 410) return errors.some(({ code }) => code === '4100') ? 'closed' : 'used';
  if (status === 409) return 'closed';
  if (status === 0 || status >= 500) return 'offline';
  return status === 429 ? 'busy' : 'trouble';
};

export const Ended = ({ end, onAgain }: { end: End; onAgain: () => void }) => {
  const t = useText();
  const words = {
    expired: [t('ended.expired'), t('ended.expiredLead')],
    used: [t('ended.used'), t('ended.usedLead')],
    closed: [t('ended.closed'), t('ended.closedLead')],
    offline: [t('ended.offline'), t('ended.offlineLead')],
    busy: [t('result.bad'), t('reason.busy')],
    trouble: [t('result.bad'), t('reason.other')],
    paused: [t('ended.paused'), t('ended.pausedLead')],
    tab: [t('ended.tab'), t('ended.tabLead')],
    noLink: [t('ended.noLink'), t('ended.noLinkLead')],
  }[end];
  useEffect(() => {
    document.title = words[0]!;
  }, [words[0]]);
  return (
    <Screen title={words[0]!} art="ended">
      <p>{words[1]}</p>
      {mayPass(end) && (
        <Button tone="primary" wide onClick={onAgain}>
          {t('result.again')}
        </Button>
      )}
      {end === 'tab' && (
        <Button tone="primary" wide onClick={() => location.reload()}>
          {t('ended.tabHere')}
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
