import { useState } from 'preact/hooks';
import { Button, Field } from '../design/controls.tsx';
import { type CaseView, type DecisionValue, decideCase, type OperatorReason } from './api.ts';
import { REASONS } from './words.ts';

interface DecideProps {
  view: CaseView;
  onDecided: (next: CaseView) => void;
  onMessage: (message: string) => void;
  onRefused: (error: Error) => void;
}

/** Accept, or reject with reasons. */
export const Decide = ({ view, onDecided, onMessage, onRefused }: DecideProps) => {
  const [reasons, setReasons] = useState<OperatorReason[]>([]);
  const [comment, setComment] = useState('');
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
      .then(onDecided, onRefused)
      .finally(() => setSending(false));
  };
  const toggle = (reason: OperatorReason): void =>
    setReasons((chosen) => (chosen.includes(reason) ? chosen.filter((each) => each !== reason) : [...chosen, reason]));
  return (
    <section aria-label="Your decision" class="decide">
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
