import { useEffect, useState } from 'preact/hooks';
import { Button } from '../design/controls.tsx';
import { Note } from '../design/display.tsx';
import { type Api, type Refused, type Submitted, whenProcessed } from './api.ts';
import { reasonsOf, waitsForDocument } from './reasons.ts';
import { Screen } from './screen.tsx';
import type { Step } from './session.ts';
import { useText } from './text.ts';

/** A status of this page alone: the evidence was deleted after it was sent. */
const DELETED = 'DELETED';

/** The state of an evidence once it is no longer processed; undefined before. */
export const useOutcome = (
  api: Api,
  identityId: string,
  evidenceId: string | undefined,
  onEnded: (error: Refused) => void,
): Submitted | undefined => {
  const [outcome, setOutcome] = useState<Submitted>();
  useEffect(() => {
    setOutcome(undefined);
    if (!evidenceId) return;
    let over = false;
    whenProcessed(api, identityId, evidenceId, () => over).then(
      (found) => {
        if (!over) setOutcome(found);
      },
      (error: Refused) => {
        if (over) return;
        if (error.status === 404) setOutcome({ id: evidenceId, type: '', status: DELETED });
        else onEnded(error);
      },
    );
    return () => {
      over = true;
    };
  }, [evidenceId]);
  return outcome;
};

const LONG_MS = 12_000;

const Checking = ({ onDone }: { onDone: () => void }) => {
  const t = useText();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Screen title={t('check.title')}>
      <div class="spinner" />
      <p role="status">{t(long ? 'check.long' : 'check.lead')}</p>
      {long && (
        <Button wide onClick={onDone}>
          {t('next')}
        </Button>
      )}
    </Screen>
  );
};

interface GoodProps {
  title: string;
  art: 'done' | 'person' | 'face';
  lead?: string;
  onDone: () => void;
}

/** A step that went well, and the way on. */
export const Good = ({ title, art, lead, onDone }: GoodProps) => {
  const t = useText();
  return (
    <Screen title={title} art={art}>
      {lead && <p>{lead}</p>}
      <Button tone="primary" wide onClick={onDone}>
        {t('next')}
      </Button>
    </Screen>
  );
};

interface OutcomeProps {
  step: Step;
  outcome: Submitted | undefined;
  onAgain: () => void;
  onDone: () => void;
}

/**
 * What became of a submission: accepted, with a person, waiting for the document, or the reasons
 * why not.
 */
export const Outcome = ({ step, outcome, onAgain, onDone }: OutcomeProps) => {
  const t = useText();
  if (!outcome) return <Checking onDone={onDone} />;
  const { status, errors } = outcome;
  if (status === 'VERIFIED') return <Good title={t(`result.${step}`)} art="done" onDone={onDone} />;
  if (status === 'ADJUDICATION')
    return <Good title={t('result.person')} art="person" lead={t('result.personLead')} onDone={onDone} />;
  if (waitsForDocument(errors))
    return <Good title={t('result.waits')} art="face" lead={t('result.waitsLead')} onDone={onDone} />;
  const words = status === DELETED ? [t('result.deleted')] : reasonsOf(errors).map((reason) => t(`reason.${reason}`));
  return (
    <Screen title={t('result.bad')} art="retry">
      {words.map((each) => (
        <Note key={each} tone="warn">
          {each}
        </Note>
      ))}
      <Button tone="primary" wide onClick={onAgain}>
        {t('result.again')}
      </Button>
      <Button tone="plain" wide onClick={onDone}>
        {t('result.skip')}
      </Button>
    </Screen>
  );
};
