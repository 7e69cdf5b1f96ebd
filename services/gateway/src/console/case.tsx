import { useEffect, useRef, useState } from 'preact/hooks';
import { type CaseView, claimCase, loadCase, ownId, Refused } from './api.ts';
import { Decide } from './decide.tsx';
import { Fields, Indicators } from './findings.tsx';
import { Keys } from './help.tsx';
import { useTick } from './now.ts';
import { Picture, Zoom } from './picture.tsx';
import { Progress, timeOf } from './progress.tsx';
import { CASE_KEYS, useShortcuts } from './shortcuts.ts';
import { refusalInWords, standingOf } from './standing.ts';
import { caseNumber, faceBesideFace, secondsSince, typeInWords, whyInWords } from './words.ts';

const REFRESH_MS = 5000;

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
  useShortcuts({ setZoom, onBack });

  const back = (
    <nav class="bar">
      <button type="button" onClick={onBack}>
        Back to the queue <kbd>Esc</kbd>
      </button>
      <Keys keys={CASE_KEYS} />
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
