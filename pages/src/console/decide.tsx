import { useState } from 'preact/hooks';
import { Button, Field } from '../design/controls.tsx';
import { Note } from '../design/display.tsx';
import { type CaseView, type DecisionValue, decideCase, type OperatorReason } from './api.ts';
import { type Draft, drafts, storeDraft } from './draft.ts';
import { REASONS } from './words.ts';

/** What is chosen and written, kept until it is decided. */
const useDraft = (caseId: string) => {
  const [before] = useState(() => drafts.find(caseId));
  const [draft, setDraft] = useState<Draft>(before ?? { reasons: [], comment: '' });
  const change = (next: Draft): void => {
    setDraft(next);
    storeDraft(caseId, next);
  };
  return {
    ...draft,
    isRestored: before !== undefined,
    setReasons: (reasons: OperatorReason[]): void => change({ ...draft, reasons }),
    setComment: (comment: string): void => change({ ...draft, comment }),
  };
};

interface DecideProps {
  view: CaseView;
  onDecided: (next: CaseView) => void;
  onMessage: (message: string) => void;
  onRefused: (error: Error) => void;
}

/** Accept, or reject with reasons. */
export const Decide = ({ view, onDecided, onMessage, onRefused }: DecideProps) => {
  const { reasons, comment, isRestored, setReasons, setComment } = useDraft(view.caseId);
  const [sending, setSending] = useState(false);
  const decide = (decision: DecisionValue): void => {
    if (decision === 'REJECT' && reasons.length === 0) {
      onMessage('Choose at least one reason to reject.');
      return;
    }
    if (decision === 'ACCEPT' && reasons.length > 0) {
      onMessage('Reasons are for a rejection: take them back to accept.');
      return;
    }
    onMessage('');
    setSending(true);
    decideCase(view.caseId, decision, reasons, comment)
      .then((next) => {
        drafts.forget(view.caseId);
        onDecided(next);
      }, onRefused)
      .finally(() => setSending(false));
  };
  const toggle = (reason: OperatorReason): void =>
    setReasons(reasons.includes(reason) ? reasons.filter((each) => each !== reason) : [...reasons, reason]);
  return (
    <section aria-label="Your decision" class="decide">
      {isRestored && <Note>What you had chosen and written before is here again.</Note>}
      <fieldset>
        <legend>Reasons, if you reject</legend>
        {REASONS.map(([reason, words], i) => (
          <label key={reason} class="reason">
            <input
              type="checkbox"
              checked={reasons.includes(reason)}
              onChange={() => toggle(reason)}
              id={`reason-${i + 1}`}
            />
            <span>{words}</span>
            <kbd>{i + 1}</kbd>
          </label>
        ))}
      </fieldset>
      <Field label="Comment for the record, if you like">
        <textarea value={comment} maxLength={1000} onInput={(event) => setComment(event.currentTarget.value)} />
      </Field>
      <div class="buttons">
        <Button id="accept" tone="good" disabled={sending} onClick={() => decide('ACCEPT')}>
          Accept <kbd>A</kbd>
        </Button>
        <Button id="reject" tone="bad" disabled={sending} onClick={() => decide('REJECT')}>
          Reject <kbd>R</kbd>
        </Button>
      </div>
      <p class="help">
        {view.fourEyes
          ? 'Accepted by two, it counts as verified; rejected by one, it is invalid for good. You cannot take your decision back.'
          : 'Accepted, it counts as verified. Rejected, it is invalid for good. Neither can be taken back.'}
      </p>
    </section>
  );
};
