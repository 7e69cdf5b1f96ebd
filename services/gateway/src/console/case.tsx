import { useEffect, useRef, useState } from 'preact/hooks';
import { type CaseView, claimCase, loadCase, ownId, Refused } from './api.ts';
import { Decide } from './decide.tsx';
import { isTyping, Keys } from './help.tsx';
import { useTick } from './now.ts';
import { Picture, stepped, Zoom } from './picture.tsx';
import { outcomeMeans, refusalInWords, type Standing, standingOf } from './standing.ts';
import {
  ago,
  caseNumber,
  chosenInWords,
  differing,
  faceBesideFace,
  flatten,
  indicatorInWords,
  outcomeInWords,
  secondsSince,
  typeInWords,
  whyInWords,
} from './words.ts';

const REFRESH_MS = 5000;
const ORDER = ['failed', 'warning', 'unverified'];
const KEYS = [
  ['C', 'claim the case'],
  ['1 to 8', 'choose a reason'],
  ['A', 'accept'],
  ['R', 'reject'],
  ['N', 'next case, once you have decided'],
  ['+ and −', 'zoom all images'],
  ['0', 'whole images again'],
  ['Tab, then arrows', 'move a zoomed image'],
  ['Esc', 'leave the comment; back to the queue'],
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

/** What was read, and where what is printed says otherwise. A selfie has no fields. */
const Fields = ({ of: { fields, raisedIndicators } }: { of: CaseView }) => {
  const all = flatten(fields, differing(raisedIndicators));
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="read">
      <h2 id="read">What was read</h2>
      <dl class="fields">
        {all.map(({ label, value, confirmed, differs }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value} {confirmed && <small>confirmed</small>}
              {differs && <small class="mark warning">the print differs</small>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const STANDS: Record<Standing, string> = {
  free: '',
  mine: 'You have this case for 15 minutes.',
  taken: 'Another operator has this case. A claim lapses after 15 minutes.',
  'awaits-another': 'You have decided. A second operator must now.',
  expired: 'Time is over: nobody decided, and the evidence is not verified.',
  decided: '',
};

/** Where the case stands, and what was decided by whom. */
const Progress = ({ of, standing }: { of: CaseView; standing: Standing }) => (
  <>
    {of.fourEyes && standing !== 'decided' && (
      <p>
        Two operators decide this case, and it is accepted if both accept.
        {of.decisions.length > 0 && ' One has decided:'}
      </p>
    )}
    <ol class="history">
      {of.decisions.map(({ at, operatorId, decision, reasons }) => (
        <li key={at}>
          {operatorId === ownId() ? 'You' : 'Another operator'} {outcomeInWords(decision)} {ago(at)}
          {reasons.length > 0 && `: ${reasons.map(chosenInWords).join('; ')}`}
        </li>
      ))}
    </ol>
    <p role="status">{standing === 'decided' ? outcomeMeans(of) : STANDS[standing]}</p>
  </>
);

const timeOf = (of: CaseView, standing: Standing): string =>
  standing === 'decided'
    ? `decided: ${outcomeInWords(of.decision)}`
    : `${standing === 'expired' ? 'expired' : 'expires'} ${ago(of.expiresAt)}`;

interface CaseProps {
  caseId: string;
  onBack: () => void;
  onNext: () => void;
}

/** One case: why it needs a person, images side by side at one zoom, what the checks say and what was read, and beside them the decision. */
export const Case = ({ caseId, onBack, onNext }: CaseProps) => {
  const [of, setOf] = useState<CaseView>();
  const [message, setMessage] = useState('');
  const [zoom, setZoom] = useState(1);
  const heading = useRef<HTMLHeadingElement>(null);
  const decision = useRef<HTMLHeadingElement>(null);
  useTick(1000);
  const standing = of && standingOf(of, ownId(), -secondsSince(of.expiresAt));
  const fail = (error: Error): void => setMessage(error.message);
  /** After an act the focus stays by the decision: the button that was pressed is gone. */
  const show = (next: CaseView): void => {
    setMessage('');
    setOf(next);
    decision.current?.focus();
  };
  /** What a conflict is about shows in the case as it stands now. */
  const refused = (error: Error): void => {
    const status = error instanceof Refused ? error.status : undefined;
    if (status === 0) setMessage(`${error.message} Try again; what you chose is still here.`);
    else if (status !== 409) fail(error);
    else
      loadCase(caseId).then((now) => {
        setOf(now);
        setMessage(refusalInWords(now, standingOf(now, ownId(), -secondsSince(now.expiresAt))));
      }, fail);
  };
  const claim = (): void => void claimCase(caseId).then(show, refused);

  useEffect(() => {
    loadCase(caseId).then(setOf, fail);
  }, [caseId]);
  // Others claim and decide meanwhile, and time runs out.
  useEffect(() => {
    if (!standing || standing === 'decided') return;
    let gone = false;
    const refresh = (): void =>
      void loadCase(caseId).then(
        (now) => {
          if (!gone) setOf(now);
        },
        () => undefined,
      );
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [caseId, standing]);
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
  if (!of || !standing)
    return (
      <main>
        {back}
        <p role="status" class={message ? 'message' : ''}>
          {message || 'Loading the case …'}
        </p>
      </main>
    );
  return (
    <main>
      {back}
      <h1 ref={heading} tabIndex={-1}>
        {typeInWords(of.type)} <small>{caseNumber(of.caseId)}</small>{' '}
        <small class={of.decision ? `outcome ${of.decision.toLowerCase()}` : ''}>{timeOf(of, standing)}</small>
      </h1>
      <section aria-label="Why it needs a person" class="why">
        {of.reasons.map((reason) => (
          <p key={reason}>
            <strong>Why it needs a person:</strong> {whyInWords(reason, of.raisedIndicators)}
          </p>
        ))}
      </section>
      <div class="work">
        <div>
          <section aria-label="Images">
            <div class="pictures">
              {faceBesideFace(of.media).map(({ mediaId, label }) => (
                <Picture key={mediaId} caseId={caseId} mediaId={mediaId} label={label} zoom={zoom} onZoom={setZoom} />
              ))}
            </div>
            {of.media.length === 0 ? <p>There are no images of this case.</p> : <Zoom zoom={zoom} onZoom={setZoom} />}
          </section>
          <div class="columns">
            <section aria-labelledby="checks">
              <h2 id="checks">Checks</h2>
              <Indicators raised={of.raisedIndicators} />
            </section>
            <Fields of={of} />
          </div>
        </div>
        <section aria-labelledby="decision" class="panel">
          <h2 id="decision" ref={decision} tabIndex={-1}>
            Decision
          </h2>
          <p role="alert" class="message">
            {message}
          </p>
          <Progress of={of} standing={standing} />
          {(standing === 'free' || standing === 'taken') && (
            <button type="button" id="claim" class="accept" onClick={claim}>
              {standing === 'free' ? 'Claim this case' : 'Claim it, if the claim lapsed'} <kbd>C</kbd>
            </button>
          )}
          {standing === 'free' && <p class="help">Claim the case to decide it. Nobody else can decide it meanwhile.</p>}
          {standing === 'mine' && <Decide of={of} onDecided={show} onMessage={setMessage} onRefused={refused} />}
          {(standing === 'decided' || standing === 'awaits-another' || standing === 'expired') && (
            <button type="button" id="next" onClick={onNext}>
              Next case <kbd>N</kbd>
            </button>
          )}
        </section>
      </div>
    </main>
  );
};
