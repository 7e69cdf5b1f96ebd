import { useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { newKey } from '../design/repeats.ts';
import type { Api, Refused } from './api.ts';
import { deepLink } from './deep-link.ts';
import type { StepProps } from './document-step.tsx';
import { Outcome, useOutcome } from './outcome.tsx';
import { Screen } from './screen.tsx';
import { type ChipBeginning, deviceId } from './session.ts';
import { useText } from './text.ts';

interface ChipStepProps extends Omit<StepProps, 'onLive'> {
  reader: string;
  token: string;
  /** The document that was photographed, whose data open the chip. */
  documentId: string | undefined;
  /** The session that this tab began last. */
  begun: ChipBeginning | undefined;
  onBegun: (begun: ChipBeginning) => void;
}

interface Begun extends ChipBeginning {
  id: string;
}

/** Begins a chip session; without the document where that was deleted meanwhile. */
const startChip = async (api: Api, identityId: string, documentId: string | undefined): Promise<Begun> => {
  const key = newKey();
  const sent = await api.startChip(identityId, documentId, key).catch((error: Refused) => {
    if (error.status !== 400 || documentId === undefined) throw error;
  });
  return sent ? { id: sent.id, key, documentId } : startChip(api, identityId, undefined);
};

/**
 * The chip is read by an app: this page opens it, waits for what it sends, and tells what came of
 * it.
 */
export const ChipStep = (props: ChipStepProps) => {
  const { api, identityId, reader, token, documentId, begun, sentBefore, onBegun, onSent, onDone, onEnded } = props;
  const t = useText();
  const [sending, setSending] = useState(false);
  const outcome = useOutcome(api, identityId, sentBefore, onEnded);
  const open = ({ key, documentId: evidenceId }: ChipBeginning): void => {
    location.href = deepLink(reader, {
      suite: location.origin,
      identityId,
      token,
      device: deviceId(),
      key,
      ...(evidenceId ? { evidenceId } : {}),
      // The app may open it in a tab of its own, which knows nothing of this one.
      back: `${location.href.split('#')[0]}#${token}`,
    });
  };
  const begin = (): void => {
    setSending(true);
    startChip(api, identityId, documentId)
      .then(({ id, ...chip }) => {
        onBegun(chip);
        onSent(id);
        open(chip);
      }, onEnded)
      .finally(() => setSending(false));
  };
  // What another tab began, only that one can open in the app.
  const press = sentBefore && begun ? () => open(begun) : begin;
  if (sentBefore && outcome)
    return <Outcome step="CHIP" outcome={outcome} onAgain={() => onSent(undefined)} onDone={onDone} />;
  return (
    <Screen title={t(sentBefore ? 'chip.waiting' : 'chip.title')} art="chip">
      <p role="status">{t(sentBefore ? 'chip.waitingLead' : 'chip.lead')}</p>
      <Button tone="primary" wide disabled={sending} onClick={press}>
        {t(sentBefore ? 'chip.openAgain' : 'chip.open')}
      </Button>
      <Button tone="plain" wide onClick={onDone}>
        {t('result.skip')}
      </Button>
    </Screen>
  );
};
