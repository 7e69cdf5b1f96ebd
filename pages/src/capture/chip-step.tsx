import { useRef, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { tabStore } from '../design/storage.ts';
import type { Refused } from './api.ts';
import { deepLink } from './deep-link.ts';
import type { StepProps } from './document-step.tsx';
import { Outcome, useOutcome } from './outcome.tsx';
import { Screen } from './screen.tsx';
import { deviceId } from './session.ts';
import { newKey } from './submission.ts';
import { useText } from './text.ts';

interface ChipStepProps extends Omit<StepProps, 'onLive'> {
  reader: string;
  token: string;
  /** The document that was photographed, whose data open the chip. */
  documentId: string | undefined;
}

/**
 * The chip is read by an app: this page opens it, waits for what it sends, and tells what came of
 * it.
 */
export const ChipStep = (props: ChipStepProps) => {
  const { api, identityId, reader, token, documentId, sentBefore, onSent, onDone, onEnded } = props;
  const t = useText();
  const [sending, setSending] = useState(false);
  const key = useRef(tabStore.getItem('assay.chip') ?? '');
  const outcome = useOutcome(api, identityId, sentBefore, onEnded);
  const open = (): void => {
    location.href = deepLink(reader, {
      suite: location.origin,
      identityId,
      token,
      device: deviceId(),
      key: key.current,
      ...(documentId ? { evidenceId: documentId } : {}),
      back: location.href,
    });
  };
  const begin = (): void => {
    key.current = newKey();
    tabStore.setItem('assay.chip', key.current);
    setSending(true);
    api
      .startChip(identityId, documentId, key.current)
      .then(
        ({ id }) => {
          onSent(id);
          open();
        },
        (error: Refused) => onEnded(error),
      )
      .finally(() => setSending(false));
  };
  if (sentBefore && outcome)
    return <Outcome step="CHIP" outcome={outcome} onAgain={() => onSent(undefined)} onDone={onDone} />;
  return (
    <Screen title={t(sentBefore ? 'chip.waiting' : 'chip.title')} art="chip">
      <p role="status">{t(sentBefore ? 'chip.waitingLead' : 'chip.lead')}</p>
      <Button tone="primary" wide disabled={sending} onClick={sentBefore ? open : begin}>
        {t(sentBefore ? 'chip.openAgain' : 'chip.open')}
      </Button>
      <Button tone="plain" wide onClick={onDone}>
        {t('result.skip')}
      </Button>
    </Screen>
  );
};
