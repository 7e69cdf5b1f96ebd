import { useEffect, useRef, useState } from 'preact/hooks';
import { type CaseView, claimCase, loadCase, ownId } from './api.ts';
import { Decide } from './decide.tsx';
import { isTyping, Keys } from './help.tsx';
import { Picture, stepped } from './picture.tsx';
import { ago, flatten, indicatorInWords, outcomeInWords, reasonInWords, typeInWords } from './words.ts';

const ORDER = ['failed', 'warning', 'unverified'];
const KEYS = [
  ['C', 'claim the case'],
  ['1 to 8', 'choose a reason'],
  ['A', 'accept'],
  ['R', 'reject'],
  ['N', 'next open case, once this one is decided'],
  ['+ and −', 'zoom all images'],
  ['0', 'whole images again'],
  ['Tab, then arrows', 'move an image'],
  ['Esc', 'back to the queue'],
] as const;

const List = ({ of }: { of: ReturnType<typeof indicatorInWords>[] }) => (
  <ul class="indicators">
    {of.map(({ what, status, words }) => (
      <li key={what + status}>
        <span class={`mark ${status}`}>{words}</span> {what}
      </li>
    ))}
  </ul>
);

/** What speaks against the evidence, or was not checked, first; what passed can be unfolded. */
const Indicators = ({ raised }: { raised: string[] }) => {
  const all = raised.map(indicatorInWords);
  const passed = all.filter(({ status }) => !ORDER.includes(status));
  const open = all
    .filter(({ status }) => ORDER.includes(status))
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return (
    <>
      {open.length === 0 ? <p>Nothing speaks against it.</p> : <List of={open} />}
      <details>
        <summary>{passed.length} checks passed</summary>
        <List of={passed} />
      </details>
    </>
  );
};

/** A selfie has no fields. */
const Fields = ({ fields }: { fields: Record<string, unknown> }) => {
  const all = flatten(fields);
  if (all.length === 0) return null;
  return (
    <>
      <h2>What was read</h2>
      <dl class="fields">
        {all.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
};

const Progress = ({ of }: { of: CaseView }) => (
  <>
    {of.fourEyes && (
      <p>
        Two operators decide this case{of.decisions.length === 1 ? '; one has decided' : ''}. One rejection rejects it.
      </p>
    )}
    <ol class="history">
      {of.decisions.map(({ at, decision, reasons }) => (
        <li key={at}>
          {outcomeInWords(decision)} {ago(at)}
          {reasons.length > 0 && `: ${reasons.map((reason) => indicatorInWords(reason).what.toLowerCase()).join(', ')}`}
        </li>
      ))}
    </ol>
  </>
);

interface CaseProps {
  caseId: string;
  onBack: () => void;
  onNext: () => void;
}

/** One case: images side by side at one zoom, what was read, what the checks say, and the decision. */
export const Case = ({ caseId, onBack, onNext }: CaseProps) => {
  const [of, setOf] = useState<CaseView>();
  const [message, setMessage] = useState('');
  const [zoom, setZoom] = useState(1);
  const heading = useRef<HTMLHeadingElement>(null);
  const show = (next: CaseView): void => {
    setMessage('');
    setOf(next);
  };
  const fail = (error: Error): void => setMessage(error.message);
  const claim = (): void => void claimCase(caseId).then(show, fail);

  useEffect(() => {
    loadCase(caseId).then(show, fail);
  }, [caseId]);
  useEffect(() => heading.current?.focus(), [of === undefined]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event)) {
        // Out of the comment first: what was written is not lost by one key.
        if (event.key === 'Escape') (event.target as HTMLElement).blur();
        return;
      }
      const click = (id: string): void => document.getElementById(id)?.click();
      const actions: Record<string, () => void> = {
        a: () => click('accept'),
        r: () => click('reject'),
        c: () => click('claim'),
        n: () => click('next'),
        '+': () => setZoom((now) => stepped(now, 1)),
        '=': () => setZoom((now) => stepped(now, 1)),
        '-': () => setZoom((now) => stepped(now, -1)),
        '0': () => setZoom(1),
        escape: onBack,
      };
      actions[event.key.toLowerCase()]?.();
      if (/^[1-8]$/.test(event.key)) click(`reason-${event.key}`);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);

  const back = (
    <nav class="bar">
      <button type="button" onClick={onBack}>
        Back to the queue <kbd>Esc</kbd>
      </button>
      <Keys keys={KEYS} />
    </nav>
  );
  if (!of)
    return (
      <main>
        {back}
        <p role="status" class={message ? 'message' : ''}>
          {message || 'Loading the case …'}
        </p>
      </main>
    );
  const others = of.state === 'CLAIMED' && of.claimedBy !== ownId();
  return (
    <main>
      {back}
      <h1 ref={heading} tabIndex={-1}>
        {typeInWords(of.type)}{' '}
        <small class={of.decision ? `outcome ${of.decision.toLowerCase()}` : ''}>
          {of.state === 'DECIDED' ? `decided: ${outcomeInWords(of.decision)}` : `expires ${ago(of.expiresAt)}`}
        </small>
      </h1>
      <section aria-label="Images" class="pictures">
        {of.media.map(({ mediaId, label }) => (
          <Picture key={mediaId} caseId={caseId} mediaId={mediaId} label={label} zoom={zoom} onZoom={setZoom} />
        ))}
        {of.media.length === 0 && <p>There are no images of this case.</p>}
      </section>
      <div class="columns">
        <section aria-labelledby="why">
          <h2 id="why">Why it needs a person</h2>
          <ul>
            {of.reasons.map((reason) => (
              <li key={reason}>{reasonInWords(reason)}</li>
            ))}
          </ul>
          <Fields fields={of.fields} />
        </section>
        <section aria-labelledby="checks">
          <h2 id="checks">Checks</h2>
          <Indicators raised={of.raisedIndicators} />
        </section>
        <section aria-labelledby="decision">
          <h2 id="decision">Decision</h2>
          <p role="alert" class="message">
            {message}
          </p>
          <Progress of={of} />
          {others && <p>Another operator has claimed this case. A claim lapses after 15 minutes.</p>}
          {(of.state === 'OPEN' || others) && (
            <button type="button" id="claim" class="accept" onClick={claim}>
              Claim this case <kbd>C</kbd>
            </button>
          )}
          {of.state === 'OPEN' && (
            <p class="help">Nobody else works on a case that you claimed; then you can decide.</p>
          )}
          {of.state === 'CLAIMED' && !others && <Decide of={of} onDecided={show} onError={setMessage} />}
          {(of.state === 'DECIDED' || (of.state === 'OPEN' && of.decisions.length > 0)) && (
            <button type="button" id="next" onClick={onNext}>
              Next case <kbd>N</kbd>
            </button>
          )}
        </section>
      </div>
    </main>
  );
};
