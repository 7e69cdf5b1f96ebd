import { useEffect, useRef, useState } from 'preact/hooks';
import { type CaseView, claimCase, type Decision, decideCase, loadCase } from './api.ts';
import { Picture, stepped } from './picture.tsx';
import { ago, flatten, indicatorInWords, REASONS, typeInWords } from './words.ts';

const ORDER = ['failed', 'warning', 'unverified', 'ok', 'verified'];

const Indicators = ({ raised }: { raised: string[] }) => {
  const all = raised.map(indicatorInWords).sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return (
    <ul class="indicators">
      {all.map(({ what, status }) => (
        <li key={what + status}>
          <span class={`mark ${status}`}>{status}</span> {what}
        </li>
      ))}
    </ul>
  );
};

const Fields = ({ fields }: { fields: Record<string, unknown> }) => (
  <dl>
    {flatten(fields).map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface DecideProps {
  of: CaseView;
  onDecided: (next: CaseView) => void;
  onError: (message: string) => void;
}

const Decide = ({ of, onDecided, onError }: DecideProps) => {
  const [reasons, setReasons] = useState<string[]>([]);
  const [comment, setComment] = useState('');
  const decide = (decision: Decision): void => {
    if (decision === 'REJECT' && reasons.length === 0) {
      onError('Choose at least one reason to reject.');
      return;
    }
    decideCase(of.caseId, decision, decision === 'REJECT' ? reasons : [], comment).then(onDecided, (error: Error) =>
      onError(error.message),
    );
  };
  const toggle = (reason: string): void =>
    setReasons((chosen) => (chosen.includes(reason) ? chosen.filter((each) => each !== reason) : [...chosen, reason]));
  return (
    <section aria-label="Decision" class="decide">
      <fieldset>
        <legend>Reasons, if you reject</legend>
        {REASONS.map(([reason, words], i) => (
          <label key={reason}>
            <input
              type="checkbox"
              checked={reasons.includes(reason)}
              onChange={() => toggle(reason)}
              id={`reason-${i + 1}`}
            />{' '}
            {words} <kbd>{i + 1}</kbd>
          </label>
        ))}
      </fieldset>
      <label>
        Comment
        <textarea value={comment} maxLength={1000} onInput={(event) => setComment(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="button" id="accept" class="accept" onClick={() => decide('ACCEPT')}>
          Accept <kbd>A</kbd>
        </button>
        <button type="button" id="reject" class="reject" onClick={() => decide('REJECT')}>
          Reject <kbd>R</kbd>
        </button>
      </div>
    </section>
  );
};

const typing = (event: KeyboardEvent): boolean =>
  event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey;

/** One case: images side by side at one zoom, what was read, what the checks say, and the decision. */
export const Case = ({ caseId, onBack }: { caseId: string; onBack: () => void }) => {
  const [of, setOf] = useState<CaseView>();
  const [message, setMessage] = useState('');
  const [zoom, setZoom] = useState(1);
  const heading = useRef<HTMLHeadingElement>(null);
  const fail = (error: Error): void => setMessage(error.message);
  const claim = (): void => void claimCase(caseId).then(setOf, fail);

  useEffect(() => {
    loadCase(caseId).then(setOf, fail);
  }, [caseId]);
  useEffect(() => heading.current?.focus(), [of === undefined]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (typing(event)) return;
      const click = (id: string): void => document.getElementById(id)?.click();
      const actions: Record<string, () => void> = {
        a: () => click('accept'),
        r: () => click('reject'),
        c: () => click('claim'),
        '+': () => setZoom((now) => stepped(now, 1)),
        '-': () => setZoom((now) => stepped(now, -1)),
        Escape: onBack,
      };
      actions[event.key]?.();
      if (/^[1-8]$/.test(event.key)) click(`reason-${event.key}`);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);

  if (!of) return <p role="status">{message || 'Loading the case'}</p>;
  return (
    <main>
      <nav>
        <button type="button" onClick={onBack}>
          Back to the queue <kbd>Esc</kbd>
        </button>
      </nav>
      <h1 ref={heading} tabIndex={-1}>
        {typeInWords(of.type)}{' '}
        <small>{of.state === 'DECIDED' ? `decided: ${of.decision ?? ''}` : `expires ${ago(of.expiresAt)}`}</small>
      </h1>
      <p role="alert" class="message">
        {message}
      </p>
      <section aria-label="Images" class="pictures">
        {of.media.map(({ mediaId, label }) => (
          <Picture key={mediaId} caseId={caseId} mediaId={mediaId} label={label} zoom={zoom} onZoom={setZoom} />
        ))}
      </section>
      <div class="columns">
        <section aria-labelledby="why">
          <h2 id="why">Why it needs a person</h2>
          <ul>
            {of.reasons.map((reason) => (
              <li key={reason}>
                {indicatorInWords(reason).what} {indicatorInWords(reason).status}
              </li>
            ))}
          </ul>
          <h2>What was read</h2>
          <Fields fields={of.fields} />
        </section>
        <section aria-labelledby="checks">
          <h2 id="checks">Checks</h2>
          <Indicators raised={of.raisedIndicators} />
        </section>
        <section aria-labelledby="decision">
          <h2 id="decision">Decision</h2>
          {of.state === 'OPEN' && (
            <button type="button" id="claim" class="accept" onClick={claim}>
              Claim this case <kbd>C</kbd>
            </button>
          )}
          {of.state === 'CLAIMED' && <Decide of={of} onDecided={setOf} onError={setMessage} />}
          <ol class="history">
            {of.decisions.map(({ at, decision, reasons }) => (
              <li key={at}>
                {decision.toLowerCase()} {ago(at)} {reasons.map((reason) => indicatorInWords(reason).what).join(', ')}
              </li>
            ))}
          </ol>
          {of.state === 'DECIDED' && (
            <button type="button" onClick={onBack}>
              Next case <kbd>Esc</kbd>
            </button>
          )}
        </section>
      </div>
    </main>
  );
};
